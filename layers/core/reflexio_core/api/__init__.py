"""The HTTP application: one FastAPI app for the embedded server and the cloud function.

Routes hold no rule of their own: each reads a request, calls one engine function and returns its answer.
"""
