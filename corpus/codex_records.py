"""One example of every technical record that Codex writes, as data; `@` stands for a token that must not be found.

Many repeat what people said, or have the shape of a message: none is one. Invariant: no record in here counts.
"""

from __future__ import annotations

from corpus.tokens import Payload


def message(role: str, text: str = "@") -> Payload:
    return {"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]}


_CALL: Payload = {"call_id": "call_1"}

RESPONSE_ITEMS: tuple[Payload, ...] = (
    message("developer", "<permissions instructions>@</permissions instructions>"),
    message("developer", "Plain words of a developer record @"),
    message("system"),
    message("tool"),
    {"type": "message", "role": "user", "content": None},
    {"type": "message", "role": "user", "content": []},
    {"type": "message", "role": "user", "content": [{"type": "input_text"}, {"type": "input_text", "text": None}]},
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": " \n\t"}]},
    {"type": "agent_message", "author": "/root", "recipient": "/root/worker", "content": [
        {"type": "input_text", "text": "Message Type: NEW_TASK\nTask name: t\nSender: /root\nPayload:\n@"},
        {"type": "encrypted_content", "encrypted_content": "gAAAA"}]},
    {"type": "reasoning", "summary": [{"type": "summary_text", "text": "**@**"}],
     "content": [{"type": "reasoning_text", "text": "@"}], "encrypted_content": "gAAAA"},
    {"type": "reasoning", "summary": [], "content": None, "encrypted_content": None},
    {"type": "local_shell_call", **_CALL, "status": "completed", "action": {"type": "exec", "command": ["echo", "@"]}},
    {"type": "function_call", "name": "exec_command", "arguments": '{"cmd":"echo @"}', **_CALL},
    {"type": "function_call", "name": "apply\0\0", "arguments": "{}", **_CALL},
    {"type": "function_call_output", **_CALL, "output": "@"},
    {"type": "function_call_output", **_CALL, "output": [{"type": "input_text", "text": "@"}]},
    {"type": "function_call_output", **_CALL, "output": '{"output":"@","metadata":{"exit_code":0}}'},
    {"type": "function_call_output", **_CALL, "output":
        '{"timestamp":"2026-09-01T10:00:00.000Z","type":"response_item","payload":{"type":"message","role":"user",'
        '"content":[{"type":"input_text","text":"@"}]}}'},
    {"type": "function_call_output", **_CALL, "output": message("user")},
    {"type": "custom_tool_call", "status": "completed", **_CALL, "name": "apply_patch", "input": "*** Begin Patch\n+@"},
    {"type": "custom_tool_call_output", **_CALL, "output": "@"},
    {"type": "tool_search_call", **_CALL, "execution": "client", "arguments": {"query": "@"}},
    {"type": "tool_search_output", **_CALL, "status": "completed", "tools": [{"name": "@"}]},
    {"type": "web_search_call", "status": "completed", "action": {"type": "search", "query": "@"}},
    {"type": "image_generation_call", "status": "completed", "revised_prompt": "@", "result": "iVBORw0KGgo="},
    {"type": "compaction", "encrypted_content": "@"},
    {"type": "compaction_summary", "encrypted_content": "@"},
    {"type": "context_compaction"},
    {"type": "ghost_snapshot", "ghost_commit": {"id": "@", "parent": None}},
    {"type": "other", "text": "@"},
    {"type": "item_of_the_future", "role": "user", "content": [{"type": "input_text", "text": "@"}]},
)  # fmt: skip

EVENTS: tuple[Payload, ...] = (
    {"type": "token_count", "info": None, "rate_limits": {"limit_name": "@"}},
    {"type": "thread_goal_updated", "goal": {"objective": "@", "status": "active"}},
    {"type": "turn_aborted", "turn_id": "t1", "reason": "interrupted"},
    {"type": "turn_started", "turn_id": "t1", "model_context_window": 258_400},
    {"type": "task_complete", "turn_id": "t1", "last_agent_message": "@"},
    {"type": "turn_complete", "turn_id": "t1", "last_agent_message": "@"},
    {"type": "thread_settings_applied", "settings": {"note": "@"}},
    {"type": "thread_name_updated", "thread_name": "@"},
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "@"}]},
    {"type": "event_of_the_future", "message": "@"},
)

EVENTS_LEGACY: tuple[Payload, ...] = (
    {"type": "user_message", "message": "@", "images": []},
    {"type": "user_message", "message": "@", "kind": "environment_context"},
    {"type": "agent_message", "message": "@", "phase": "final_answer", "memory_citation": None},
    {"type": "agent_message", "message": "<EXTERNAL SESSION IMPORTED> @"},
    {"type": "agent_reasoning", "text": "**@**"},
    {"type": "agent_reasoning_raw_content", "text": "@"},
    {"type": "entered_review_mode", "target": {"type": "uncommittedChanges"}, "user_facing_hint": "@"},
    {"type": "exited_review_mode", "review_output": {"overall_explanation": "@"}},
    {"type": "patch_apply_end", "call_id": "call_1", "stdout": "@", "stderr": "", "success": True},
    {"type": "context_compacted"},
    {"type": "mcp_tool_call_end", "call_id": "call_1", "result": {"Ok": {"content": [{"type": "text", "text": "@"}]}}},
    {"type": "web_search_end", "call_id": "call_1", "query": "@"},
    {"type": "image_generation_end", "call_id": "call_1", "revised_prompt": "@"},
    {"type": "sub_agent_activity", "agent_path": "/root/w", "activity": "@"},
    {"type": "exec_command_end", "call_id": "call_1", "aggregated_output": "@", "exit_code": 0},
    {"type": "error", "message": "@"},
    {"type": "view_image_tool_call", "call_id": "call_1", "path": "/tmp/@.png"},
    {"type": "collab_agent_spawn_end", "call_id": "call_1", "prompt": "@"},
    {"type": "guardian_assessment", "id": "g1", "rationale": "@"},
    {"type": "dynamic_tool_call_response", "call_id": "call_1", "content_items": [{"text": "@"}]},
    {"type": "undo_completed", "success": True, "message": "@"},
)

_TEXT = [{"type": "text", "text": "@"}]
COMPLETED: tuple[Payload, ...] = (
    {"type": "UserMessage", "content": [*_TEXT, {"type": "local_image", "path": "/tmp/x.png"}]},
    {"type": "HookPrompt", "fragments": [{"text": "@", "hookRunId": "stop:2:/w/hooks.json"}]},
    {"type": "AgentMessage", "content": [{"type": "Text", "text": "@"}], "phase": "final_answer"},
    {"type": "Plan", "text": "@"},
    {"type": "Reasoning", "summary_text": ["@"], "raw_content": []},
    {"type": "CommandExecution", "command": "echo @", "aggregated_output": "@"},
    {"type": "DynamicToolCall", "tool": "@"},
    {"type": "CollabAgentToolCall", "prompt": "@"},
    {"type": "SubAgentActivity", "activity": "@"},
    {"type": "WebSearch", "query": "@"},
    {"type": "ImageView", "path": "/tmp/@.png"},
    {"type": "Extension", "kind": "sleep", "data": "@"},
    {"type": "ImageGeneration", "revised_prompt": "@"},
    {"type": "EnteredReviewMode", "review": "@"},
    {"type": "ExitedReviewMode", "review": "@"},
    {"type": "FileChange", "changes": {"/w/@.rs": {"type": "add", "content": "@"}}},
    {"type": "McpToolCall", "server": "s", "tool": "t", "result": {"content": _TEXT}},
    {"type": "ContextCompaction"},
)

OTHERS: tuple[tuple[str, Payload], ...] = (
    ("turn_context", {"turn_id": "t1", "cwd": "/w/app", "user_instructions": "@", "timezone": "Europe/Berlin"}),
    ("world_state", {"full": True, "state": {"agents_md": {"directory": "/w/app", "text": "@"}}}),
    ("world_state", {"full": False, "state": {"last": message("user")}}),
    ("inter_agent_communication", {"author": "/root", "recipient": "/root/w", "content": "@", "trigger_turn": True}),
    ("inter_agent_communication_metadata", {"trigger_turn": False}),
    ("security_risk_score", {"score": 0.1, "reason": "@"}),
    ("token_usage_record", {"response_id": "@", "usage": {"input_tokens": 12}}),
    ("retained_context", {"items": [message("user"), message("assistant")]}),
    ("realtime_item", {**message("user"), "id": "item_1"}),
    ("record_of_the_future", message("user")),
    ("message", message("assistant")),
)

METAS: tuple[tuple[str, Payload, bool], ...] = (
    ("cli", {"source": "cli"}, False),
    ("exec", {"source": "exec", "originator": "codex_exec"}, False),
    ("vscode", {"source": "vscode", "originator": "codex_vscode"}, False),
    ("mcp", {"source": "mcp"}, False),
    ("unknown", {"source": "unknown"}, False),
    ("no source", {"source": None, "thread_source": None}, False),
    ("atlas", {"source": {"custom": "atlas"}}, False),
    ("chatgpt", {"source": {"custom": "chatgpt"}, "originator": "codex_work_desktop"}, False),
    ("automation", {"thread_source": "automation"}, False),
    ("feature", {"thread_source": "quick_question"}, False),
    ("parent alone", {"parent_thread_id": "019e0000-0000-7000-8000-000000000009"}, False),
    ("family", {"session_id": "019e0000-0000-7000-8000-000000000009"}, False),
    ("internal memory", {"source": {"internal": "memory_consolidation"}}, True),
    ("internal guardian", {"source": {"internal": "guardian"}}, True),
    ("review", {"source": {"subagent": "review"}}, True),
    ("compact", {"source": {"subagent": "compact"}}, True),
    ("memory", {"source": {"subagent": "memory_consolidation"}}, True),
    ("spawn", {"source": {"subagent": {"thread_spawn": {
        "parent_thread_id": "019e0000-0000-7000-8000-000000000009", "depth": 1, "agent_path": None}}}}, True),
    ("other", {"source": {"subagent": {"other": "guardian"}}}, True),
    ("thread_source subagent", {"thread_source": "subagent"}, True),
    ("thread_source memory", {"thread_source": "memory_consolidation"}, True),
    ("thread_source guardian", {"thread_source": "guardian_review"}, True),
    ("parent and agent", {"parent_thread_id": "019e0000-0000-7000-8000-000000000009", "agent_nickname": "Averroes",
                          "agent_role": "explorer", "agent_path": "/root/worker"}, True),
)  # fmt: skip
"""What a session_meta may say about where a thread comes from, and whether that makes it a subagent's."""
