/** Lists the tests with random cases: their environment variables, and the number of cases in long runs. */

/** Each variable sets how many cases a test generates; the default is small. */
export const LONG_TEST_SETTINGS = [
  { setting: 'HAVN_PAYMENT_LIVES', cases: 2_000, test: 'gateway/orders/status/payment-lifecycle.test.ts' },
  { setting: 'HAVN_INTERLEAVINGS', cases: 10_000, test: 'gateway/journeys/sca-session-interleavings.test.ts' },
  { setting: 'HAVN_DEADLINE_RACES', cases: 1_000, test: 'gateway/journeys/exchange-deadline-races.test.ts' },
  { setting: 'HAVN_CONSENT_LIVES', cases: 2_000, test: 'gateway/consents/consent-lifecycle.test.ts' },
  { setting: 'HAVN_DEAL_LIVES', cases: 1_000, test: 'gateway/fx/deals/deal-state-machine.test.ts' },
  { setting: 'HAVN_WORKERS_KILLED', cases: 50, test: 'gateway/journeys/webhook-crash.test.ts' },
  { setting: 'HAVN_TORTURE_ROUNDS', cases: 200, test: 'gateway/journeys/fault-injection-load.test.ts' },
  { setting: 'HAVN_FUZZED_REQUESTS', cases: 100_000, test: 'gateway/request-fuzzing.test.ts' },
  { setting: 'HAVN_FIELD_MISTAKES', cases: 1_000, test: 'gateway/field-mistakes.test.ts' },
  { setting: 'HAVN_BENCH_PARTS', cases: 12, test: 'bench/bench.test.ts' },
  { setting: 'HAVN_LONG_SHAPES', cases: 100, test: 'gateway/event-loop-delay.test.ts' },
  { setting: 'HAVN_PAYROLL_MIXES', cases: 200, test: 'gateway/payrolls/payroll-totals.test.ts' },
  { setting: 'HAVN_DAILY_COUNT_LIVES', cases: 500, test: 'gateway/orders/daily-counts/daily-counts.test.ts' },
  { setting: 'HAVN_BULK_STATEMENTS_APART', cases: 1, test: 'gateway/payrolls/bulks/incomplete-bulks.test.ts' },
  { setting: 'HAVN_LARGE_DATA_SETS', cases: 1, test: 'gateway/simulation/data-sets/data-sets.test.ts' },
  { setting: 'HAVN_CONSOLE_COPIES', cases: 100_000, test: 'console/query-plans.test.ts' },
  { setting: 'HAVN_CONFORMANCE_MUTATIONS', cases: 51, test: 'conformance/mutations.test.ts' },
  { setting: 'HAVN_TRIGGERED_EVENT_TYPES', cases: 42, test: 'cli/developer/webhooks/trigger/trigger.test.ts' },
  { setting: 'HAVN_OPENAPI_VALUES', cases: 5, test: 'gateway/openapi-conformance.test.ts' },
  { setting: 'HAVN_JSON_TEXTS', cases: 20_000, test: 'gateway/platform/json/read-json.test.ts' },
  { setting: 'HAVN_TESTED_BANKS', cases: 16, test: 'sandbox/testing/tested-banks.ts' },
  { setting: 'HAVN_AXE_CONTRAST_SCHEMES', cases: 2, test: 'gateway/testing/browser/axe-violations.ts' },
  { setting: 'HAVN_PAGE_TRANSLATIONS', cases: 4, test: 'gateway/testing/browser/multi-language-user.ts' },
  { setting: 'HAVN_REFERENCE_PAYOUT', cases: 1, test: 'gateway/journeys/guides.test.ts' },
] as const
