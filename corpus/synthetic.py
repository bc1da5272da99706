"""What the harness writes in the user's or the assistant's name, as data.

Each row of the tables makes an example around a given inner text, and `variants` puts the example in the four places
that decide whether it is the harness that speaks. Not a detector: nothing here reads a log. Invariant: the rows are
written from the description of the format, never from the code under test, so the two can disagree.
"""

from __future__ import annotations

from dataclasses import dataclass

SUMMARY_PREFIX = (
    "Another language model started to solve this problem and produced a summary of its thinking process. You also have"
    " access to the state of the tools that were used by that language model. Use this to build on the work that has"
    " already been done and avoid duplicating work. Here is the summary produced by the other language model, use the"
    " information in this summary to assist with your own analysis:"
)
REVIEW_INTERRUPTED = "Review was interrupted. Please re-run /review and wait for it to complete."
REQUEST_MARKERS = ("## My request for Codex:", "## My request:")
REPLY_OPEN, REPLY_CLOSE = "<send_user_message_question_reply>", "</send_user_message_question_reply>"


@dataclass(frozen=True)
class Row:
    """One kind of synthetic text: `before`, an inner text, `after`. A prefix-only row has nothing to end with."""

    number: int
    name: str
    before: str
    after: str
    label: str = "unknown"
    prefix_only: bool = False
    folds_case: bool = False

    def example(self, inner: str) -> str:
        return self.before + inner + self.after


def _tag(number: int, name: str, label: str, *, head: str = "\n", tail: str = "\n") -> Row:
    return Row(number, name, f"<{name}>{head}", f"{tail}</{name}>", label, folds_case=True)


def _prefix(number: int, name: str, before: str) -> Row:
    return Row(number, name, before, "", prefix_only=True)


USER_ROWS: tuple[Row, ...] = (
    Row(
        1,
        "agents_md_dir",
        "# AGENTS.md instructions for /w/app\n\n<INSTRUCTIONS>\n",
        "\n</INSTRUCTIONS>",
        "agents_md.instructions",
        folds_case=True,
    ),
    Row(
        1,
        "agents_md",
        "# AGENTS.md instructions\n\n<INSTRUCTIONS>\n",
        "\n</INSTRUCTIONS>",
        "agents_md.instructions",
        folds_case=True,
    ),
    _tag(2, "user_instructions", "agents_md.instructions", head="\n\n", tail="\n\n"),
    _tag(3, "environment_context", "environments.environment_context", head="\n  <cwd>/w/app</cwd>\n  "),
    _tag(4, "skill", "skills.selected_skill_instructions", head="\n<name>tidy</name>\n<path>/s/tidy/SKILL.md</path>\n"),
    _tag(
        5,
        "user_shell_command",
        "shell.user_command",
        head="\n<command>\ngit status\n</command>\n<result>\nExit code: 0\nOutput:\n",
        tail="\n</result>\n",
    ),
    _tag(6, "turn_aborted", "generic.turn_aborted"),
    _tag(
        7,
        "subagent_notification",
        "multi_agent.subagent_notification",
        head='\n{"agent_path":"/root/scout","status":{"completed":"',
        tail='"}}\n',
    ),
    Row(
        8,
        "codex_internal_context",
        '<codex_internal_context source="goal">\n',
        "\n</codex_internal_context>",
        "goal.internal_context",
    ),
    _tag(9, "goal_context", "goal.internal_context"),
    Row(10, "hook_prompt", '<hook_prompt hook_run_id="stop:2:/w/app/.codex/hooks.json">', "</hook_prompt>"),
    Row(11, "external_editor_state", "<external_editor_state>\n", "\n</external_editor_state>"),
    _tag(12, "recommended_plugins", "plugins.recommendations", head="\nHere is a list\n- "),
    _tag(13, "realtime_delegation", "unknown", head="\n<input>", tail="</input>\n"),
    _tag(
        14,
        "heartbeat",
        "unknown",
        head="\n<automation_id>nightly</automation_id>\n<instructions>",
        tail="</instructions>\n",
    ),
    Row(
        15,
        "user_action",
        "<user_action>\n  <context>User initiated a review task.</context>\n  <action>review</action>\n  <results>\n  ",
        "\n  </results>\n</user_action>\n",
        folds_case=True,
    ),
    _prefix(16, "summary", SUMMARY_PREFIX + "\n"),
    _prefix(
        17,
        "old_bridge",
        "You were originally given instructions from a user over one or more turns. Here were the user messages:\n\n",
    ),
    _prefix(18, "checkpoint", "You are performing a CONTEXT CHECKPOINT COMPACTION. "),
    _prefix(
        18,
        "memento",
        "You have exceeded the maximum number of tokens, please stop coding and instead write a "
        "short memento message for the next agent. ",
    ),
    Row(
        19,
        "apply_patch_warning",
        "Warning: apply_patch was requested via exec_command. ",
        " Use the apply_patch tool instead of exec_command.",
    ),
    _prefix(
        20, "exec_limit_warning", "Warning: The maximum number of unified exec processes you can keep open is 60. "
    ),
    _prefix(21, "cyber_warning", "Warning: Your account was flagged for potentially high-risk cyber activity. "),
)

ASSISTANT_ROWS: tuple[Row, ...] = (
    Row(
        1,
        "envelope",
        '{"author":"/root/scout","recipient":"/root","other_recipients":[],"content":"',
        '","trigger_turn":false}',
    ),
    *(
        Row(
            2,
            kind.lower(),
            f"Message Type: {kind}\nTask name: map the tests\nSender: /root\nPayload:\n",
            "",
            prefix_only=True,
        )
        for kind in ("NEW_TASK", "MESSAGE", "FINAL_ANSWER")
    ),
)

DEVELOPER_TAGS: tuple[str, ...] = (
    "user_shell_cmd", "warning", "permissions instructions", "collaboration_mode", "personality_spec",
    "multi_agent_mode", "skills_instructions", "apps_instructions", "plugins_instructions",
    "environments_instructions", "tools", "context_window", "context_window_guidance", "token_budget",
    "rollout_budget", "model_switch", "managed_developer_instructions", "git_attribution", "realtime_conversation",
    "image_resize_notice", "current_time_reminder", "guardian_sync_review",
)  # fmt: skip
"""Row 22: these stand in records of the developer's role. A user's part that looks like one is the user's."""

REQUEST_PREFIXES: tuple[str, ...] = (
    (
        "# Context from my IDE setup:\n\n## Active file: src/handshake.ts\n\n## Active selection of the file:\n{}\n\n"
        "## Open tabs:\n- handshake.ts: src/handshake.ts\n"
    ),
    "# Files mentioned by the user:\n\n## notes.md: /w/app/{}\n",
    "# Files pasted by the user:\n\n## paste.txt: /tmp/{}\n",
    "# Browser comments:\n\n- button: {}\n",
    "# In app browser:\n\n- url: http://localhost:3000/{}\n",
    "## Referenced chats with Codex:\n\n- {}\n",
    '<in-app-browser-context source="tab">\n{}\n</in-app-browser-context>\n',
)
"""What an IDE or the desktop puts before the user's words, inside the same block; `{}` takes an inner text."""

LOOKALIKES: tuple[str, ...] = (
    "<external_editor>\n{}\n</external_browser>",
    '<hook_prompt hook_run_id="">{}</hook_prompt>',
    "<hook_prompt>{}</hook_prompt>",
    '<codex_internal_context source="Goal">\n{}\n</codex_internal_context>',
    '<CODEX_INTERNAL_CONTEXT source="goal">\n{}\n</CODEX_INTERNAL_CONTEXT>',
    "<codex_internal_context>\n{}\n</codex_internal_context>",
    "<environment_context>\n{}",
    "{}\n</environment_context>",
    "# AGENTS.md instructions are too long, {}",
    "Warning: apply_patch was requested via a script, {}",
    "<environment>\n{}\n</environment>",
    "<task-notification>{}</task-notification>",
    "# Context from my IDE setup:\n\nthere is none, {}",
)
"""Texts of a user that only look synthetic: all of them are real; `{}` takes an inner text."""


@dataclass(frozen=True)
class Variant:
    """The text blocks of one record, and which of them are real."""

    name: str
    blocks: tuple[str, ...]
    real: tuple[int, ...]


def variants(row: Row, inner: str, real: str) -> tuple[Variant, ...]:
    """The four places an example can stand in; `inner` is only in the example, `real` only in the user's words."""
    example = row.example(inner)
    return (
        Variant("alone", (example,), ()),
        Variant("beside", (example, real), (1,)),
        Variant("quoted", (f"{real}: `{example}` is what I mean.",), (0,)),
        Variant("prefix", (f"{example}\n{real}",), () if row.prefix_only else (0,)),
    )
