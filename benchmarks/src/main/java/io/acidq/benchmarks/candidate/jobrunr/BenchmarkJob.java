package io.acidq.benchmarks.candidate.jobrunr;

import io.acidq.benchmarks.candidate.HandlerWork;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;

/** A letter as a job. JobRunr makes it from JSON, by the constructor without parameters, and calls the handler by reflection: both are public. */
public final class BenchmarkJob implements JobRequest {

    private String text = "";

    BenchmarkJob() {}

    BenchmarkJob(String text) {
        this.text = text;
    }

    @Override
    public Class<Handler> getJobRequestHandler() {
        return Handler.class;
    }

    /** Runs what the bench was started with. */
    public static final class Handler implements JobRequestHandler<BenchmarkJob> {

        private final HandlerWork handlerWork;

        Handler(HandlerWork handlerWork) {
            this.handlerWork = handlerWork;
        }

        @Override
        public void run(BenchmarkJob job) throws Exception {
            handlerWork.run(job.text);
        }
    }
}
