package io.acidq.dashboard.route;

/** A request that is refused. The message is for the user, and names the value and the next step. */
public final class RequestException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int status;

    public RequestException(int status, String message) {
        super(message, null, false, false);
        this.status = status;
    }

    /** The value or the form of the request is wrong. */
    public static RequestException invalid(String message) {
        return new RequestException(400, message);
    }

    /** The user may not do this. */
    public static RequestException forbidden(String message) {
        return new RequestException(403, message);
    }

    public static RequestException notFound(String message) {
        return new RequestException(404, message);
    }

    /** The request is right, and the state of the database does not allow it. */
    public static RequestException conflict(String message) {
        return new RequestException(409, message);
    }

    /** The status of HTTP. */
    public int status() {
        return status;
    }

    /** The text of the message, which is never null. */
    public String text() {
        return String.valueOf(getMessage());
    }
}
