/** The number of jobs that wait, run or failed permanently, by `label`. */
export const JOB_COUNTS = `SELECT CASE WHEN name = 'dead-letters' THEN 'dead' WHEN state = 'active' THEN 'running' ELSE 'waiting' END AS label, count(*)
  FROM jobs.job WHERE state <= 'active' AND name NOT LIKE '\\_\\_%' GROUP BY 1`;

/** A condition: a job waits or runs whose payload has a value, given as SQL, in one of its fields. */
export const hasOpenJob = (name: string, field: string, value: string): string =>
  `EXISTS (SELECT FROM jobs.job j WHERE j.name = '${name}' AND j.state <= 'active' AND j.data -> 'payload' ->> '${field}' = ${value})`;
