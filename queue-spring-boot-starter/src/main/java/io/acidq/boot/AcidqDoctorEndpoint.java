package io.acidq.boot;

import io.acidq.QueueMisuseException;
import io.acidq.boot.AcidqDoctorAutoConfiguration.EngineDoctors;
import io.acidq.doctor.Doctor;
import io.acidq.doctor.Finding;
import io.acidq.doctor.Report;
import io.acidq.spring.QueueEngines;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * {@code acidqdoctor}: examines the database when it is read, which takes some seconds and is nothing for a probe that comes every ten. The
 * fields are those of the command line's JSON.
 */
@Endpoint(id = "acidqdoctor")
class AcidqDoctorEndpoint {

    private final Doctor doctor;
    private final EngineDoctors doctors;

    AcidqDoctorEndpoint(Doctor doctor, EngineDoctors doctors) {
        this.doctor = doctor;
        this.doctors = doctors;
    }

    /**
     * Examines.
     *
     * @param engine whose database; that of the main one unless given
     */
    @ReadOperation
    WebEndpointResponse<Map<String, Object>> examine(@Nullable String engine) {
        Doctor asked = doctor;
        if (engine != null && !engine.equals(QueueEngines.MAIN)) {
            try {
                asked = doctors.of(engine);
            } catch (QueueMisuseException e) {
                return new WebEndpointResponse<>(
                        Map.of("error", String.valueOf(e.getMessage())), WebEndpointResponse.STATUS_BAD_REQUEST);
            }
        }
        Report report = asked.examine();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("worst", report.worst().name());
        List<Map<String, Object>> findings =
                report.findings().stream().map(AcidqDoctorEndpoint::fields).toList();
        fields.put("findings", findings);
        return new WebEndpointResponse<>(fields);
    }

    private static Map<String, Object> fields(Finding finding) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("check", finding.check().toString());
        fields.put("level", finding.level().name());
        fields.put("found", finding.found());
        fields.put("advice", finding.advice());
        return fields;
    }
}
