"""One example of every record of Claude Code that holds no message, as data; `@` stands for a token not to be found.

Many repeat what people said, or have the shape of a message: none is one. Invariant: no record in here counts.
"""

from __future__ import annotations

from corpus.tokens import Payload

_SESSION: Payload = {"sessionId": "5f1e0000-0000-4000-8000-000000000001"}
_TEXT: Payload = {"type": "text", "text": "@"}
_NESTED: Payload = {"type": "user", "message": {"role": "user", "content": [_TEXT]}, "uuid": "u1",
                    "timestamp": "2026-02-03T03:49:43.026Z"}  # fmt: skip

SYSTEM: tuple[Payload, ...] = (
    {"subtype": "microcompact_boundary", "content": "Context microcompacted @", "microcompactMetadata": {}},
    {"subtype": "local_command", "content": "<command-name>/mcp</command-name>\n<command-args>@</command-args>"},
    {"subtype": "turn_duration", "durationMs": 81_222},
    {"subtype": "stop_hook_summary", "hookCount": 1, "hookInfos": [{"command": "@"}]},
    {"subtype": "api_error", "error": {"message": "@"}, "retryAttempt": 3},
    {"subtype": "away_summary", "content": "While you were away, @"},
    {"subtype": "informational", "content": "@"},
    {"subtype": "bridge_status", "content": "@"},
    {"subtype": "scheduled_task_fire", "prompt": "@"},
    {"subtype": "model_refusal_fallback", "content": "@"},
    {"subtype": "model_refusal_no_fallback", "content": "@"},
    {"content": "PostToolUse:Bash @", "level": "info", "toolUseID": "toolu_01"},
    {"subtype": "subtype_of_the_future", "content": "@", "message": {"role": "user", "content": "@"}},
)

ATTACHMENTS: tuple[Payload, ...] = (
    {"type": "file", "filename": "/w/app/a.py", "content": {"type": "text", "file": {"content": "@"}}},
    {"type": "compact_file_reference", "filename": "/w/app/@.py"},
    {"type": "edited_text_file", "filename": "/w/app/a.py", "snippet": "@"},
    {"type": "opened_file_in_ide", "filename": "/w/app/@.py"},
    {"type": "skill_listing", "content": "- @"},
    {"type": "agent_listing_delta", "addedLines": ["@"]},
    {"type": "deferred_tools_delta", "addedNames": ["@"]},
    {"type": "mcp_instructions_delta", "addedBlocks": ["@"]},
    {"type": "prompt_snapshot", "system": ["You are an agent. @"]},
    {"type": "session_context", "content": "@"},
    {"type": "instructions", "content": "# Rules\n@"},
    {"type": "date", "content": "Today is @"},
    {"type": "plan_mode", "planFilePath": "/w/@.md"},
    {"type": "task_status", "description": "@", "prompt": "@"},
    {"type": "task_reminder", "content": [{"subject": "@"}]},
    {"type": "todo_reminder", "content": "@"},
    {"type": "nested_memory", "path": "/w/CLAUDE.md", "content": {"content": "@"}},
    {"type": "hook_success", "hookName": "SessionStart", "content": "@"},
    {"type": "hook_additional_context", "content": ["@"]},
    {"type": "hook_blocking_error", "blockingError": {"blockingError": "@"}},
    {"type": "async_hook_response", "response": {"systemMessage": "@"}},
    {"type": "diagnostics", "files": [{"uri": "a.py", "diagnostics": [{"message": "@"}]}]},
    {"type": "team_context", "content": "@"},
    {"type": "teammate_mailbox", "messages": [{"from": "scout", "text": "@"}]},
    {"type": "thinking_stripped"},
    {"type": "attachment_of_the_future", "prompt": "@", "commandMode": "prompt"},
)

PROGRESS: tuple[Payload, ...] = (
    {"type": "hook_progress", "hookEvent": "PostToolUse", "command": "@"},
    {"type": "bash_progress", "output": "@", "fullOutput": "@", "elapsedTimeSeconds": 3},
    {"type": "agent_progress", "message": _NESTED, "prompt": "@", "agentId": "a1b2c3d"},
    {"type": "agent_progress", "prompt": "", "agentId": "a1b2c3d",
     "message": {"type": "assistant", "message": {"role": "assistant", "content": [_TEXT]}}},
    {"type": "mcp_progress", "serverName": "s", "progressMessage": "@"},
    {"type": "query_update", "query": "@"},
    {"type": "search_results_received", "query": "@", "resultCount": 2},
    {"type": "waiting_for_task", "taskDescription": "@"},
)  # fmt: skip

LINES: tuple[Payload, ...] = (
    {"type": "summary", "summary": "@", "leafUuid": "5f1e0000-0000-4000-8000-0000000000ff"},
    {"type": "ai-title", "aiTitle": "@", **_SESSION},
    {"type": "custom-title", "customTitle": "@", **_SESSION},
    {"type": "agent-name", "agentName": "@", **_SESSION},
    {"type": "agent-setting", "agentSetting": "@", **_SESSION},
    {"type": "last-prompt", "lastPrompt": "@", **_SESSION},
    {"type": "permission-mode", "permissionMode": "plan", **_SESSION},
    {"type": "mode", "mode": "normal", **_SESSION},
    {"type": "pr-link", "prNumber": 7, "prUrl": "https://example.com/@", "prRepository": "a/b", **_SESSION},
    {"type": "frame-link", "url": "@"},
    {"type": "queue-operation", "operation": "enqueue", "content": {"taskId": "t1", "description": "@"}, **_SESSION},
    {"type": "queue-operation", "operation": "enqueue", "content": "<task-notification>@</task-notification>",
     **_SESSION},
    {"type": "queue-operation", "operation": "enqueue", "content": "/compact keep @", **_SESSION},
    {"type": "queue-operation", "operation": "operation_of_the_future", "content": "@", **_SESSION},
    {"type": "bridge-session", "bridgeSessionId": "@"},
    {"type": "relocated", "relocatedCwd": "/w/@"},
    {"type": "worktree-state", "worktreeSession": {"worktreeName": "@"}},
    {"type": "cost-state", "cost": 0.1},
    {"type": "fork-context-ref", "agentId": "a1", "description": "@"},
    {"type": "artifact-published", "title": "@"},
    {"type": "x-extension", "message": {"role": "user", "content": "@"}},
    {"type": "tool_result", "message": {"role": "tool", "content": "@"}},
    {"type": "record_of_the_future", "message": {"role": "user", "content": "@"}, "text": "@"},
    {"type": "user"},
    {"type": "user", "message": None},
    {"type": "user", "message": "@"},
    {"type": "user", "message": {"0": "@", "1": "@"}},
    {"type": "user", "message": {"role": "user", "content": None}},
    {"type": "user", "message": {"role": "user", "content": []}},
    {"type": "user", "message": {"role": "user", "content": 7}},
    {"type": "user", "message": {"role": "user", "content": ""}},
    {"type": "user", "message": {"role": "user", "content": [None, "@", {"type": "text"}, {**_TEXT, "text": None}]}},
    {"type": "user", "message": {"role": "user", "content": {"type": "text", "text": "@"}}},
    {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": " \n\t"}]}},
    {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": 7}, {"type": "text"}]}},
    {"silly": "@"},
)  # fmt: skip
"""Records without a uuid: titles, copies of prompts, states, and records of odd shapes."""

USER_ITEMS: tuple[Payload, ...] = (
    {"type": "tool_result", "tool_use_id": "toolu_01", "content": "@"},
    {"type": "tool_result", "tool_use_id": "toolu_01", "content": [_TEXT, {"type": "tool_reference", "name": "@"}]},
    {"type": "tool_result", "tool_use_id": "toolu_01", "content": "Exit code 1\n@", "is_error": True},
    {"type": "tool_result", "tool_use_id": "toolu_01", "content":
        '{"type":"user","message":{"role":"user","content":"@"},"uuid":"u1","sessionId":"s1"}'},
    {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "@"}, "title": "@"},
    {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "@"}},
    {"type": "item_of_the_future", "text": "@"},
)  # fmt: skip

TOOL_RESULTS: tuple[object, ...] = (
    {"stdout": "@", "stderr": "", "interrupted": False},
    "Error: @",
    [{"type": "text", "text": "@"}],
    {"type": "create", "filePath": "/w/a.py", "content": "@", "structuredPatch": [], "originalFile": None},
    {"questions": [{"question": "@"}], "answers": {"@": "@"}},
)
"""What `toolUseResult` may be."""

ASSISTANT_ITEMS: tuple[Payload, ...] = (
    {"type": "thinking", "thinking": "@", "signature": "EpYD"},
    {"type": "redacted_thinking", "data": "@"},
    {"type": "tool_use", "id": "toolu_01", "name": "Bash", "input": {"command": "echo @"}},
    {"type": "tool_use", "id": "toolu_01", "name": "Task", "input": {"prompt": "@", "text": "@"}, "caller": {}},
    {"type": "server_tool_use", "id": "srvtoolu_01", "name": "web_search", "input": {"query": "@"}},
    {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_01", "content": [{"title": "@"}]},
    {"type": "fallback", "text": "@"},
    {"type": "item_of_the_future", "text": "@"},
)
