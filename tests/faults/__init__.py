"""What users of such systems report, each tried here as its whole kind: over HTTP, on SQLite, with the offline rules.

================================================  ==========================================================
reported                                          tried in
================================================  ==========================================================
a contradiction empties the store                 test_memory: a reversal leaves one current fact
the same fact twice deletes it                    test_memory: a fact said again stays one fact
an update is dropped as a duplicate               test_memory: a changed number replaces the old one
the same episode is stored twice                  test_memory: the same publication twice is one row
memories from trivial turns                       test_memory: small talk teaches nothing
system prompts, invented people, recalled texts   test_feedback
the extractor's own prompt becomes a memory       test_feedback: no prompt text is stored
growth without bound                              test_memory: many sessions that say the same grow nothing
fences, prose, `[]`, cut JSON, code in the text   engine/learning/test_bad_answers
code, NUL, emoji, right-to-left, surrogates       test_language: any text is stored and learned from
a failure is reported as success                  test_operations: a failing store is an error everywhere
playbooks without evidence                        test_memory: every learning cites turns that exist
learning is invisible                             test_operations: one call says what changed and why
delete_all of one wipes everybody                 test_deletion
what was deleted comes back                       test_deletion, engine/learning/test_delete_is_a_fence
deleted while it is being extracted               test_deletion: a user deleted before learning stays empty
another user's data is served                     test_isolation: every route
a missing scope means everybody                   test_isolation: no user is not every user
a character breaks the query                      test_search: any text is a legal query
another embedding model: silent emptiness         test_search: another model is named
results cut off without a word                    test_search: every row is reached page by page
memories in another language                      test_search: words of any script find their own row
one-word fragments surface everywhere             test_search: a query about nothing known finds nothing
hybrid search and dates                           test_search: words, meaning and dates narrow a search
memories translated, names mangled                test_language: the language and the names are the user's
times in the server's zone                        test_language: times are UTC in any zone
429s, and nobody knows what made it in            engine/learning/test_bad_answers: a throttled minute
poisoned memories                                 test_isolation: planted instructions stay with their user
ids of the caller's choosing                      test_operations: ids are the caller's
================================================  ==========================================================

A query in another language than the memory is a limit of the small English-centred embedding model.

Aggregation and approval (a null answer, a rejected lesson that comes back) are tried where lessons are merged.
"""
