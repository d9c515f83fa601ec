"""The log in a stream of NATS JetStream: one message is one frame of rows."""
