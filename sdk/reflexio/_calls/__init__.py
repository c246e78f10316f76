"""One function for each call: its arguments in, the request to send out. Sending is the clients' business."""
