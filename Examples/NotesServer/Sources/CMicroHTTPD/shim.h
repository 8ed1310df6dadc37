#include <microhttpd.h>

// Swift does not import functions with variable arguments. These call them with the arguments that the server needs.
//
// The daemon waits by `poll`. With `epoll`, which it would choose by itself, it does not notice a client that has gone if the
// client's last bytes and its farewell arrive together: such a connection stays open until its time is over.

static inline struct MHD_Daemon *notes_start_daemon(
    int listening_socket, unsigned int connection_limit, MHD_AccessHandlerCallback answer,
    void *(*begin)(void *context, const char *target, struct MHD_Connection *connection),
    MHD_RequestCompletedCallback complete, MHD_NotifyConnectionCallback notify, void *context)
{
    return MHD_start_daemon(
        MHD_USE_POLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, answer, context,
        MHD_OPTION_LISTEN_SOCKET, listening_socket,
        MHD_OPTION_CONNECTION_LIMIT, connection_limit,
        MHD_OPTION_URI_LOG_CALLBACK, begin, context,
        MHD_OPTION_NOTIFY_COMPLETED, complete, context,
        MHD_OPTION_NOTIFY_CONNECTION, notify, context,
        MHD_OPTION_END);
}

// The context that the callback for new connections has set, or NULL.
static inline void *notes_context(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static inline int notes_socket(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}
