-- AcidQ: what an account of MySQL or MariaDB needs, by what it does. An account may have several roles. Run it after the tables are there,
-- but for the migrator's part. io.acidq.mybatis.Schema.grants fills in the names; by hand, replace ${database} and ${account}.

-- role: ENQUEUER
GRANT SELECT ON ${database}.acidq_schema TO ${account};
-- Not the columns that a new row leaves to the server: the last id there is would stop every INSERT after it. To add a queue is not needed where a worker has
-- opened all of them.
GRANT SELECT, INSERT (id, name, lanes, created_at) ON ${database}.acidq_queue TO ${account};
GRANT INSERT (queue, lane), REFERENCES ON ${database}.acidq_lane TO ${account};
GRANT SELECT (queue, lane, uid), INSERT (queue, lane, uid, enqueued_at, preexec_time, expires_at, p_key, order_key, type, headers, size, payload), REFERENCES ON ${database}.acidq_message TO ${account};
GRANT SELECT (preexec_time, id, uid, size, claim_no), INSERT (queue, lane, uid, enqueued_at, preexec_time, first_due, expires_at, p_key, order_key, type, headers, size, payload), UPDATE (preexec_time, first_due, expires_at, type, headers, size, payload), DELETE, REFERENCES ON ${database}.acidq_scheduled TO ${account};
GRANT SELECT, INSERT, UPDATE, DELETE ON ${database}.acidq_key TO ${account};
GRANT SELECT, INSERT, UPDATE ON ${database}.acidq_inbox TO ${account};
GRANT SELECT ON ${database}.acidq_subscription TO ${account};
-- An engine without listeners enqueues ticks too.
GRANT SELECT, INSERT, UPDATE, DELETE ON ${database}.acidq_recurring TO ${account};
GRANT SELECT, INSERT ON ${database}.acidq_tick TO ${account};
GRANT SELECT, INSERT (uid, state, retention_micros), UPDATE (state, ended_at, kept_until) ON ${database}.acidq_receipt TO ${account};
-- An engine without listeners writes what it has enqueued into the history.
GRANT SELECT, INSERT, UPDATE ON ${database}.acidq_history TO ${account};
-- Whether the message that holds a key still lives.
GRANT SELECT (uid), REFERENCES ON ${database}.acidq_parked TO ${account};
GRANT SELECT (uid), REFERENCES ON ${database}.acidq_dead TO ${account};
-- These show their columns to Schema.check, and no row.
GRANT REFERENCES ON ${database}.acidq_node TO ${account};
GRANT REFERENCES ON ${database}.acidq_audit TO ${account};
GRANT REFERENCES ON ${database}.acidq_crash TO ${account};
GRANT REFERENCES ON ${database}.acidq_archive TO ${account};
GRANT REFERENCES ON ${database}.acidq_cancel TO ${account};
GRANT REFERENCES ON ${database}.acidq_node_report TO ${account};
GRANT REFERENCES ON ${database}.acidq_attempt TO ${account};

-- role: WORKER
GRANT SELECT ON ${database}.acidq_schema TO ${account};
GRANT SELECT, INSERT, UPDATE ON ${database}.acidq_queue TO ${account};
GRANT SELECT, INSERT, UPDATE, DELETE ON ${database}.acidq_lane TO ${account};
GRANT SELECT, INSERT, UPDATE, DELETE ON ${database}.acidq_message TO ${account};
GRANT SELECT, INSERT, UPDATE, DELETE ON ${database}.acidq_scheduled TO ${account};
GRANT SELECT, INSERT, DELETE ON ${database}.acidq_parked TO ${account};
GRANT SELECT, INSERT, DELETE ON ${database}.acidq_dead TO ${account};
GRANT SELECT, INSERT, UPDATE, DELETE ON ${database}.acidq_key TO ${account};
GRANT SELECT, INSERT, UPDATE, DELETE ON ${database}.acidq_node TO ${account};
GRANT SELECT, INSERT, DELETE ON ${database}.acidq_crash TO ${account};
GRANT SELECT, INSERT, DELETE ON ${database}.acidq_archive TO ${account};
GRANT SELECT, INSERT, UPDATE, DELETE ON ${database}.acidq_inbox TO ${account};
GRANT SELECT, INSERT, UPDATE, DELETE ON ${database}.acidq_subscription TO ${account};
GRANT SELECT, INSERT, UPDATE, DELETE ON ${database}.acidq_recurring TO ${account};
GRANT SELECT, INSERT, DELETE ON ${database}.acidq_tick TO ${account};
GRANT SELECT, INSERT, UPDATE, DELETE ON ${database}.acidq_receipt TO ${account};
GRANT SELECT, INSERT, UPDATE, DELETE ON ${database}.acidq_history TO ${account};
GRANT SELECT, INSERT, UPDATE, DELETE ON ${database}.acidq_node_report TO ${account};
GRANT SELECT, INSERT, DELETE ON ${database}.acidq_attempt TO ${account};
-- Removes what is old, and records nothing.
GRANT SELECT, DELETE ON ${database}.acidq_audit TO ${account};
GRANT SELECT, DELETE ON ${database}.acidq_cancel TO ${account};

-- role: OPERATOR
GRANT SELECT ON ${database}.acidq_schema TO ${account};
GRANT SELECT, INSERT, UPDATE ON ${database}.acidq_queue TO ${account};
GRANT SELECT, INSERT, UPDATE, DELETE ON ${database}.acidq_lane TO ${account};
GRANT SELECT, INSERT, UPDATE, DELETE ON ${database}.acidq_message TO ${account};
GRANT SELECT, INSERT, UPDATE, DELETE ON ${database}.acidq_scheduled TO ${account};
GRANT SELECT, INSERT, DELETE ON ${database}.acidq_parked TO ${account};
GRANT SELECT, UPDATE, DELETE ON ${database}.acidq_dead TO ${account};
GRANT SELECT, INSERT, UPDATE ON ${database}.acidq_key TO ${account};
GRANT SELECT, INSERT, UPDATE ON ${database}.acidq_audit TO ${account};
GRANT SELECT ON ${database}.acidq_node TO ${account};
GRANT SELECT, DELETE ON ${database}.acidq_crash TO ${account};
GRANT SELECT ON ${database}.acidq_archive TO ${account};
GRANT REFERENCES ON ${database}.acidq_inbox TO ${account};
GRANT SELECT, INSERT, UPDATE, DELETE ON ${database}.acidq_subscription TO ${account};
GRANT SELECT, UPDATE, DELETE ON ${database}.acidq_recurring TO ${account};
GRANT SELECT, INSERT ON ${database}.acidq_tick TO ${account};
GRANT SELECT, INSERT, UPDATE ON ${database}.acidq_cancel TO ${account};
GRANT SELECT, UPDATE ON ${database}.acidq_receipt TO ${account};
GRANT SELECT ON ${database}.acidq_node_report TO ${account};
GRANT SELECT ON ${database}.acidq_attempt TO ${account};
-- An operator's engine writes what was replayed and discarded into the history.
GRANT SELECT, INSERT, UPDATE ON ${database}.acidq_history TO ${account};

-- role: MIGRATOR
GRANT CREATE, ALTER, INDEX, DROP, SELECT, INSERT, UPDATE, DELETE ON ${database}.acidq_schema TO ${account};
GRANT CREATE, ALTER, INDEX, DROP, SELECT, INSERT, UPDATE, DELETE ON ${database}.acidq_queue TO ${account};
GRANT CREATE, ALTER, INDEX, DROP, SELECT, INSERT, UPDATE, DELETE ON ${database}.acidq_lane TO ${account};
GRANT CREATE, ALTER, INDEX, DROP, SELECT, INSERT, UPDATE, DELETE ON ${database}.acidq_message TO ${account};
GRANT CREATE, ALTER, INDEX, DROP, SELECT, INSERT, UPDATE, DELETE ON ${database}.acidq_scheduled TO ${account};
GRANT CREATE, ALTER, INDEX, DROP, SELECT, INSERT, UPDATE, DELETE ON ${database}.acidq_parked TO ${account};
GRANT CREATE, ALTER, INDEX, DROP, SELECT, INSERT, UPDATE, DELETE ON ${database}.acidq_dead TO ${account};
GRANT CREATE, ALTER, INDEX, DROP, SELECT, INSERT, UPDATE, DELETE ON ${database}.acidq_key TO ${account};
GRANT CREATE, ALTER, INDEX, DROP, SELECT, INSERT, UPDATE, DELETE ON ${database}.acidq_node TO ${account};
GRANT CREATE, ALTER, INDEX, DROP, SELECT, INSERT, UPDATE, DELETE ON ${database}.acidq_crash TO ${account};
GRANT CREATE, ALTER, INDEX, DROP, SELECT, INSERT, UPDATE, DELETE ON ${database}.acidq_archive TO ${account};
GRANT CREATE, ALTER, INDEX, DROP, SELECT, INSERT, UPDATE, DELETE ON ${database}.acidq_inbox TO ${account};
GRANT CREATE, ALTER, INDEX, DROP, SELECT, INSERT, UPDATE, DELETE ON ${database}.acidq_audit TO ${account};
GRANT CREATE, ALTER, INDEX, DROP, SELECT, INSERT, UPDATE, DELETE ON ${database}.acidq_subscription TO ${account};
GRANT CREATE, ALTER, INDEX, DROP, SELECT, INSERT, UPDATE, DELETE ON ${database}.acidq_recurring TO ${account};
GRANT CREATE, ALTER, INDEX, DROP, SELECT, INSERT, UPDATE, DELETE ON ${database}.acidq_tick TO ${account};
GRANT CREATE, ALTER, INDEX, DROP, SELECT, INSERT, UPDATE, DELETE ON ${database}.acidq_cancel TO ${account};
GRANT CREATE, ALTER, INDEX, DROP, SELECT, INSERT, UPDATE, DELETE ON ${database}.acidq_receipt TO ${account};
GRANT CREATE, ALTER, INDEX, DROP, SELECT, INSERT, UPDATE, DELETE ON ${database}.acidq_history TO ${account};
GRANT CREATE, ALTER, INDEX, DROP, SELECT, INSERT, UPDATE, DELETE ON ${database}.acidq_node_report TO ${account};
GRANT CREATE, ALTER, INDEX, DROP, SELECT, INSERT, UPDATE, DELETE ON ${database}.acidq_attempt TO ${account};
