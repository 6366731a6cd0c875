-- Questions for DuckDB over the collected files. Verify first (tools/report/main.ts), then query what was verified.
--   duckdb -c ".read tools/report/queries.sql"
-- The files of all machines: change this to where they are.
-- `columns` names what is read: a line with other fields, or with a field of another type, has NULL there.
SET VARIABLE files = 'collected/*/*';

CREATE OR REPLACE VIEW lines AS
SELECT DISTINCT ON (session, seq) *
FROM read_json(
  getvariable('files'),
  format = 'newline_delimited',
  ignore_errors = true,
  filename = true,
  columns = {
    v: 'INTEGER', session: 'VARCHAR', seq: 'INTEGER', time: 'TIMESTAMP', kind: 'VARCHAR', "user": 'VARCHAR', request: 'VARCHAR', action: 'VARCHAR',
    model: 'VARCHAR', files: 'BIGINT', bytes: 'BIGINT', maskings: 'BIGINT', unmasked: 'BIGINT', outcome: 'VARCHAR', error: 'VARCHAR',
    status: 'INTEGER', requestId: 'VARCHAR', promptTokens: 'BIGINT', completionTokens: 'BIGINT', totalTokens: 'BIGINT',
    durationMs: 'BIGINT', confirmation: 'VARCHAR', language: 'VARCHAR', added: 'BIGINT', removed: 'BIGINT',
    reason: 'VARCHAR', "count": 'BIGINT'
  })
WHERE v = 2 AND session IS NOT NULL AND seq IS NOT NULL;

-- What was done, by day.
SELECT time::DATE AS day, kind, count(*) AS records FROM lines GROUP BY ALL ORDER BY ALL;

-- Requests and tokens by model and outcome. The intent has the model, the outcome the rest.
SELECT intent.model, outcome.outcome, count(*) AS requests, sum(outcome.totalTokens) AS tokens,
       quantile_cont(outcome.durationMs, 0.5) AS median_ms
FROM lines AS intent
JOIN lines AS outcome ON outcome.request = intent.request AND outcome.kind = 'request-outcome'
WHERE intent.kind = 'request-intent'
GROUP BY ALL ORDER BY requests DESC;

-- Requests without an outcome: stopped windows, or lines that have not arrived.
SELECT intent.session, intent.time, intent.request
FROM lines AS intent
WHERE intent.kind = 'request-intent'
  AND NOT EXISTS (FROM lines AS outcome WHERE outcome.kind = 'request-outcome' AND outcome.request = intent.request)
ORDER BY intent.time DESC LIMIT 100;

-- What the service did not confirm.
SELECT time, session, request, requestId, confirmation FROM lines
WHERE kind = 'request-outcome' AND confirmation IN ('not-confirmed', 'contradicted') ORDER BY time DESC LIMIT 100;

-- Secrets that were sent unmasked, because the user chose to.
SELECT time::DATE AS day, sum(unmasked) AS secrets, count(*) AS requests FROM lines
WHERE kind = 'request-intent' AND unmasked > 0 GROUP BY ALL ORDER BY day DESC;

-- Requests that were refused before anything was sent, by reason.
SELECT reason, action, sum("count") AS requests FROM lines WHERE kind = 'refused' GROUP BY ALL ORDER BY requests DESC;

-- Accepted code by language.
SELECT language, count(*) AS edits, sum(added) AS added, sum(removed) AS removed FROM lines
WHERE kind = 'code-accepted' GROUP BY ALL ORDER BY edits DESC;
