package io.acidq.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Asks for a password where it is not seen: neither on the screen nor in what the command writes. With the standard output redirected Java has no
 * console, or one that shows what is typed; then the terminal itself is asked, without its echo.
 */
final class PasswordPrompt {

    private static final String PROMPT = "Password: ";
    private static final Path TERMINAL = Path.of("/dev/tty");

    private PasswordPrompt() {}

    @SuppressWarnings("SystemConsoleNull") // both are looked at: null, and a console without a terminal
    static String read() {
        Console console = System.console();
        if (console != null && isTerminal(console)) {
            char[] typed = console.readPassword(PROMPT);
            return typed == null ? "" : new String(typed);
        }
        try (OutputStream out = Files.newOutputStream(TERMINAL);
                BufferedReader in = new BufferedReader(new InputStreamReader(Files.newInputStream(TERMINAL), UTF_8))) {
            return read(out, in);
        } catch (IOException e) {
            throw new RefusedException(
                    ExitCode.USAGE,
                    "there is no terminal here on which a password could be typed unseen: give it by ACIDQ_PASSWORD or --password=@FILE",
                    e);
        }
    }

    /** Since Java 22 a console may be there without a terminal. */
    private static boolean isTerminal(Console console) {
        try {
            return Boolean.TRUE.equals(Console.class.getMethod("isTerminal").invoke(console));
        } catch (NoSuchMethodException e) {
            return true;
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }

    private static String read(OutputStream out, BufferedReader in) throws IOException {
        stty("-echo");
        Thread restoring = new Thread(PasswordPrompt::showAgain); // when it is interrupted by Ctrl-C
        Runtime.getRuntime().addShutdownHook(restoring);
        try {
            say(out, PROMPT);
            String typed = in.readLine();
            say(out, "\n");
            return typed == null ? "" : typed;
        } finally {
            showAgain();
            Runtime.getRuntime().removeShutdownHook(restoring);
        }
    }

    private static void say(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(UTF_8));
        out.flush();
    }

    private static void showAgain() {
        try {
            stty("echo");
        } catch (IOException e) {
            // the terminal is gone
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
