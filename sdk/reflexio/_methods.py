"""Which methods the clients have."""

from reflexio._calls import deleting, listing, publishing, searching, service, writing
from reflexio._operations import Operation, Pages


class ClientMethods:
    """Every call of the service, for clients to inherit."""

    publish_interaction = Operation(publishing.publish_interaction)
    finalize_session = Operation(publishing.finalize_session)
    learning_status = Operation(publishing.learning_status)
    get_learning_status = Operation(publishing.get_learning_status)

    search = Operation(searching.search)
    search_user_profiles = Operation(searching.search_user_profiles)
    search_profiles = Operation(searching.search_user_profiles)
    search_user_playbooks = Operation(searching.search_user_playbooks)
    search_agent_playbooks = Operation(searching.search_agent_playbooks)
    search_interactions = Operation(searching.search_interactions)

    get_interactions = Operation(listing.get_interactions)
    get_all_interactions = Operation(listing.get_all_interactions)
    get_requests = Operation(listing.get_requests)
    get_profiles = Operation(listing.get_profiles)
    get_all_profiles = Operation(listing.get_all_profiles)
    get_user_playbooks = Operation(listing.get_user_playbooks)
    get_agent_playbooks = Operation(listing.get_agent_playbooks)

    iter_interactions = Pages(listing.get_interactions, lambda page: page.interactions)
    iter_all_interactions = Pages(listing.get_all_interactions, lambda page: page.interactions)
    iter_sessions = Pages(listing.get_requests, lambda page: page.sessions)
    iter_profiles = Pages(listing.get_profiles, lambda page: page.user_profiles)
    iter_all_profiles = Pages(listing.get_all_profiles, lambda page: page.user_profiles)
    iter_user_playbooks = Pages(listing.get_user_playbooks, lambda page: page.user_playbooks)
    iter_agent_playbooks = Pages(listing.get_agent_playbooks, lambda page: page.agent_playbooks)

    add_user_profile = Operation(writing.add_user_profile)
    add_user_playbook = Operation(writing.add_user_playbook)
    add_agent_playbooks = Operation(writing.add_agent_playbooks)
    update_user_profile = Operation(writing.update_user_profile)
    update_user_playbook = Operation(writing.update_user_playbook)
    update_agent_playbook = Operation(writing.update_agent_playbook)
    update_agent_playbook_status = Operation(writing.update_agent_playbook_status)

    delete_profile = Operation(deleting.delete_profile)
    delete_interaction = Operation(deleting.delete_interaction)
    delete_request = Operation(deleting.delete_request)
    delete_session = Operation(deleting.delete_session)
    delete_user_playbook = Operation(deleting.delete_user_playbook)
    delete_agent_playbook = Operation(deleting.delete_agent_playbook)
    delete_requests_by_ids = Operation(deleting.delete_requests_by_ids)
    delete_profiles_by_ids = Operation(deleting.delete_profiles_by_ids)
    delete_user_playbooks_by_ids = Operation(deleting.delete_user_playbooks_by_ids)
    delete_agent_playbooks_by_ids = Operation(deleting.delete_agent_playbooks_by_ids)
    delete_all_interactions = Operation(deleting.delete_all_interactions)
    delete_all_profiles = Operation(deleting.delete_all_profiles)
    delete_all_playbooks = Operation(deleting.delete_all_playbooks)
    delete_all_user_playbooks = Operation(deleting.delete_all_user_playbooks)
    delete_all_agent_playbooks = Operation(deleting.delete_all_agent_playbooks)
    clear_user_data = Operation(deleting.clear_user_data)

    set_config = Operation(service.set_config)
    update_config = Operation(service.update_config)
    get_config = Operation(service.get_config)
    whoami = Operation(service.whoami)
    storage_stats = Operation(service.storage_stats)
    get_profile_statistics = Operation(service.get_profile_statistics)
    version = Operation(service.version)
    health = Operation(service.health)


class SessionMethods:
    """The calls that have a session in them, for views of one session to inherit."""

    publish_interaction = Operation(publishing.publish_interaction)
    finalize_session = Operation(publishing.finalize_bound_session)
    search = Operation(searching.search)
    search_user_profiles = Operation(searching.search_user_profiles)
    search_profiles = Operation(searching.search_user_profiles)
    search_user_playbooks = Operation(searching.search_user_playbooks)
    search_agent_playbooks = Operation(searching.search_agent_playbooks)
    get_requests = Operation(listing.get_requests)
    iter_sessions = Pages(listing.get_requests, lambda page: page.sessions)
    get_agent_playbooks = Operation(listing.get_agent_playbooks)
    iter_agent_playbooks = Pages(listing.get_agent_playbooks, lambda page: page.agent_playbooks)
    delete_session = Operation(deleting.delete_bound_session)
