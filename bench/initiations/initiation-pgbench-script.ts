/** Renders pgbench scripts: the gateway's own two statements of an initiation, one row each, and a minimal pair to compare. */
import { invoice } from '../../contract/examples/demo-fixture.ts'
import {
  type Acknowledgement,
  INSERT_SUBMISSIONS,
  RECORD_ACKNOWLEDGEMENTS,
  type SubmissionRow,
} from '../../gateway/orders/store/submission-store.ts'
import { type RowStatement, rowQuery, type StatementRow } from '../../gateway/platform/database/coalesce.ts'
import { rowOf } from '../../gateway/platform/database/columns.ts'
import type { IdempotencyAnswer } from '../../gateway/platform/http/idempotency/idempotency-store.ts'
import { newId } from '../../gateway/platform/ids.ts'

/** Placeholder for an id in the rows: the only difference between any two of them. */
const ID = '@id'
/** Time-ordered ids, as the gateway generates them: pgbench's counter first, then its client number. */
export const COUNTED_ID = `substr(:count::text, 1, 8) || '-' || substr(:count::text, 9) || '-7000-8000-' || lpad(:client_id::text, 12, '0')`
/** A counter with twelve digits throughout. */
const COUNT_FROM = 100_000_000_000
const OPERATION = 'POST /api/v2/payments'
/** The size of the gateway's stored response: 75 characters, encrypted with a data key and a master key. */
const SEALED_ANSWER_BYTES = 172

/** The variables that the script requires. */
export const SCRIPT_VARIABLES: Readonly<Record<string, string>> = { count: String(COUNT_FROM) }

export function initiationScript(now: Temporal.Instant): string {
  const partnerId = newId()
  return [
    '\\set count :count + 1',
    statement(INSERT_SUBMISSIONS, rowOf(submissionOf(partnerId, now))),
    statement(RECORD_ACKNOWLEDGEMENTS, rowOf(acceptanceOf(partnerId, now))),
    '',
  ].join('\n')
}

/** The form that the gateway uses for one row, whose parameters are written into the text. */
function statement(inserted: RowStatement, row: StatementRow): string {
  const { text, values } = rowQuery(inserted, [row])
  const literals = values.map(literal)
  return `${text.replaceAll(/\$(\d+)(?=::)/g, (_, number: string) => literals[Number(number) - 1] ?? '')};`
}

function literal(value: unknown): string {
  if (value === null) {
    return 'null'
  }
  // pgbench treats a colon before a letter or digit as a variable, in string literals too.
  const written = INSTANT.test(String(value)) ? stamp(Temporal.Instant.from(String(value))) : String(value)
  const text = `$value$${written.replaceAll(/:(?=\w)/g, ': ')}$value$`
  return text.includes(ID) ? `replace(${text}, '${ID}', ${COUNTED_ID})` : text
}

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** The basic format of ISO 8601, which has no colons. */
function stamp(instant: Temporal.Instant): string {
  return instant.toString({ smallestUnit: 'second' }).replace(/[:-]/g, '')
}

function submissionOf(partnerId: string, now: Temporal.Instant): SubmissionRow {
  const ordered = { ...invoice, metadata: { endToEndId: ID } }
  return {
    partnerId,
    id: ID,
    type: 'Domestic',
    ordered: JSON.stringify(ordered),
    consentId: newId(),
    bic: 'FJORNO22',
    countryCode: 'NO',
    organisationNumber: '987654325',
    endToEndId: ID,
    ...{ amountMinor: 125_000n, currency: 'NOK' },
    debtorBban: '80501100017',
    creditorBban: '80501200011',
    dueDate: Temporal.PlainDate.from('2026-11-25'),
    payrollId: null,
    bankRequestId: ID,
    notificationTokenHash: 'h'.repeat(43),
    createdAt: now,
    recoverAt: now.add({ minutes: 1 }),
    duplicatesSince: now.subtract({ hours: 24 }),
    idempotencyOperation: OPERATION,
    idempotencyKey: ID,
    idempotencyFingerprint: 'f'.repeat(43),
    idempotencySubjectId: ID,
    idempotencyStartedAt: now,
  }
}

function acceptanceOf(partnerId: string, now: Temporal.Instant): Acknowledgement & Partial<IdempotencyAnswer> {
  return {
    partnerId,
    id: ID,
    historyId: ID,
    bankPaymentId: ID,
    status: 'Unsigned',
    statusReason: null,
    statusReasonText: null,
    bankStatus: 'RCVD',
    signed: false,
    statusAt: now,
    // Late enough that the worker does not poll it.
    pollAt: now.add({ hours: 1 }),
    finalSince: null,
    exchange: null,
    idempotencyOperation: OPERATION,
    idempotencyKey: ID,
    idempotencyStatus: 200,
    idempotencyAnswer: 'ab'.repeat(SEALED_ANSWER_BYTES),
    idempotencyFinishedAt: now,
  }
}

/** Separate tables with a primary key and no other index. */
export const MINIMAL_TABLES = `
  drop schema if exists minimal cascade;
  create schema minimal;
  create table minimal.payments (partner_id uuid, id uuid, status text not null, ordered text not null,
    created_at timestamptz not null, primary key (partner_id, id));
  create table minimal.history (partner_id uuid, payment_id uuid, id uuid, status text not null, at timestamptz not null,
    primary key (partner_id, payment_id, id));
  create table minimal.answers (partner_id uuid, id uuid, answer text not null, at timestamptz not null,
    primary key (partner_id, id));`

/** The size of an order and a response of the gateway. */
const MINIMAL_ORDER = 'o'.repeat(600)
const ANSWER = 'a'.repeat(350)
const AT = `'20261125T080000Z'`

/** One execution of the script is two statements, each a transaction. */
export function minimalPgbenchScript(): string {
  const partner = `'${newId()}'`
  const id = `(${COUNTED_ID})::uuid`
  return [
    '\\set count :count + 1',
    `with payment as (insert into minimal.payments values (${partner}, ${id}, 'Unsigned', '${MINIMAL_ORDER}', ${AT}) returning *)
     insert into minimal.history select partner_id, id, id, status, created_at from payment;`,
    `insert into minimal.answers values (${partner}, ${id}, '${ANSWER}', ${AT});`,
    '',
  ].join('\n')
}
