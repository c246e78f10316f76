"""Methods of the published clients whose routes come later: the part that brings each, and the route it needs.

A route listed here that the service does have fails the test: the method then belongs into ``cases``.
"""

from typing import NamedTuple


class Later(NamedTuple):
    """What a method waits for."""

    part: str
    route: str


AGGREGATION = "aggregation into agent playbooks"
EVALUATION = "evaluation of sessions and learnings"
EXPERIMENTS = "retrieval experiments"
LIFECYCLE = "operations: rerun, manual generation, upgrade"
PENDING_CALLS = "questions to a person (pending tool calls)"
PROVENANCE = "provenance and change logs"
RERANKING = "reranking"
RUNNING = "running the service: provider stalls, caches, stored credentials"

CLIENT = {
    "run_playbook_aggregation": Later(AGGREGATION, "POST /api/run_playbook_aggregation"),
    "submit_playbook_aggregation": Later(AGGREGATION, "POST /api/playbook_aggregation_operations"),
    "get_playbook_aggregation_operation": Later(AGGREGATION, "GET /api/playbook_aggregation_operations/{operation_id}"),
    "review_user_playbooks": Later(AGGREGATION, "POST /api/review_user_playbooks"),
    "get_agent_success_evaluation_results": Later(EVALUATION, "POST /api/get_agent_success_evaluation_results"),
    "get_retrieved_learning_evaluation_results": Later(
        EVALUATION, "POST /api/get_retrieved_learning_evaluation_results"
    ),
    "regenerate_evaluations": Later(EVALUATION, "POST /api/evaluations/regenerate"),
    "get_evaluation_regeneration_status": Later(EVALUATION, "GET /api/evaluations/regenerate/{job_id}"),
    "cancel_evaluation_regeneration": Later(EVALUATION, "DELETE /api/evaluations/regenerate/{job_id}"),
    "grade_on_demand": Later(EVALUATION, "POST /api/evaluations/grade_on_demand"),
    "mark_session_outcome": Later(EVALUATION, "POST /api/session_outcome"),
    "get_session_outcomes": Later(EVALUATION, "POST /api/get_session_outcomes"),
    "list_retrieval_experiments": Later(EXPERIMENTS, "GET /api/retrieval_experiments"),
    "start_retrieval_experiment": Later(EXPERIMENTS, "POST /api/retrieval_experiments"),
    "stop_retrieval_experiment": Later(EXPERIMENTS, "POST /api/retrieval_experiments/stop"),
    "get_retrieval_experiment_results": Later(EXPERIMENTS, "GET /api/retrieval_experiments/{experiment_id}/results"),
    "rerun_profile_generation": Later(LIFECYCLE, "POST /api/rerun_profile_generation"),
    "rerun_playbook_generation": Later(LIFECYCLE, "POST /api/rerun_playbook_generation"),
    "manual_profile_generation": Later(LIFECYCLE, "POST /api/manual_profile_generation"),
    "manual_playbook_generation": Later(LIFECYCLE, "POST /api/manual_playbook_generation"),
    "upgrade_profiles": Later(LIFECYCLE, "POST /api/upgrade_all_profiles"),
    "upgrade_user_playbooks": Later(LIFECYCLE, "POST /api/upgrade_all_user_playbooks"),
    "list_pending_tool_calls": Later(PENDING_CALLS, "GET /api/pending_tool_calls"),
    "get_pending_tool_call": Later(PENDING_CALLS, "GET /api/pending_tool_calls/{pending_tool_call_id}"),
    "resolve_pending_tool_call": Later(PENDING_CALLS, "POST /api/pending_tool_calls/{pending_tool_call_id}/resolve"),
    "update_pending_tool_call_answer": Later(
        PENDING_CALLS, "PATCH /api/pending_tool_calls/{pending_tool_call_id}/answer"
    ),
    "mark_pending_tool_call_not_applicable": Later(
        PENDING_CALLS, "POST /api/pending_tool_calls/{pending_tool_call_id}/not_applicable"
    ),
    "cancel_pending_tool_call": Later(PENDING_CALLS, "POST /api/pending_tool_calls/{pending_tool_call_id}/cancel"),
    "get_profile_change_log": Later(PROVENANCE, "GET /api/profile_change_log"),
    "rerank_user_profiles": Later(RERANKING, "POST /api/rerank_user_profiles"),
    "get_stall_state": Later(RUNNING, "GET /stall_state"),
    "mark_stall_notified": Later(RUNNING, "POST /stall_state/notified"),
    "invalidate_cache": Later(RUNNING, "POST /api/admin/cache/invalidate"),
    "get_my_config": Later(RUNNING, "GET /api/my_config"),
}

SESSION = {
    name: CLIENT[name]
    for name in (
        "get_retrieved_learning_evaluation_results",
        "get_session_outcomes",
        "grade_on_demand",
        "mark_session_outcome",
    )
}

NOT_YET = {"ReflexioClient": CLIENT, "SessionScopedClient": SESSION}
