package io.acidq.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.acidq.cli.Acidq.ExitCode;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads passwords from the terminal without echo, and writes what only its user may see. If the standard output is redirected, Java returns no
 * console, or a console that echoes; then this class opens the terminal itself and disables its echo with {@code stty}.
 */
final class PasswordPrompt {

    static final String PROMPT = "Password: ";

    private static final Path TERMINAL = Path.of("/dev/tty");

    private PasswordPrompt() {}

    /**
     * Reads a password.
     *
     * @param advice what to do without a terminal
     */
    static String read(String prompt, String advice) {
        Console console = console();
        if (console != null) {
            char[] typed = console.readPassword(prompt);
            return typed == null ? "" : new String(typed);
        }
        try (OutputStream out = Files.newOutputStream(TERMINAL);
                BufferedReader in = new BufferedReader(new InputStreamReader(Files.newInputStream(TERMINAL), UTF_8))) {
            return read(prompt, out, in);
        } catch (IOException e) {
            throw new CommandException(
                    ExitCode.USAGE, "there is no terminal here to read the password from without echo: " + advice, e);
        }
    }

    /** Writes a line to the terminal and to no redirected output. Returns false if there is no terminal. */
    static boolean tell(String line) {
        Console console = console();
        if (console != null) {
            console.writer().println(line);
            console.flush();
            return true;
        }
        try (OutputStream out = Files.newOutputStream(TERMINAL)) {
            write(out, line + System.lineSeparator());
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns the console if it is a terminal. */
    @SuppressWarnings("SystemConsoleNull") // handles both: null, and a console without a terminal
    private static @Nullable Console console() {
        Console console = System.console();
        return console != null && isTerminal(console) ? console : null;
    }

    /** Since Java 22 a console can exist without a terminal. */
    private static boolean isTerminal(Console console) {
        try {
            return Boolean.TRUE.equals(Console.class.getMethod("isTerminal").invoke(console));
        } catch (NoSuchMethodException e) {
            return true;
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }

    private static String read(String prompt, OutputStream out, BufferedReader in) throws IOException {
        stty("-echo");
        Thread hook = new Thread(PasswordPrompt::restoreEcho); // for Ctrl-C
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            write(out, prompt);
            String typed = in.readLine();
            write(out, "\n");
            return typed == null ? "" : typed;
        } finally {
            restoreEcho();
            Runtime.getRuntime().removeShutdownHook(hook);
        }
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(UTF_8));
        out.flush();
    }

    private static void restoreEcho() {
        try {
            stty("echo");
        } catch (IOException e) {
            // the terminal was closed
        }
    }

    private static void stty(String setting) throws IOException {
        Process process = new ProcessBuilder("stty", setting)
                .redirectInput(TERMINAL.toFile())
                .redirectErrorStream(true)
                .start();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException("stty " + setting + " failed");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
