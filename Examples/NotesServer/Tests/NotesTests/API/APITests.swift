import Testing

/// Tests of the service through its router, for both wirings. Each test has servers and databases of its own.
@Suite(.servers) struct APITests {}
