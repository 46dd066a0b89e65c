/** Writes the gateway's own two statements of an initiation as a pgbench script, one row each. */
import { invoice } from '../../contract/examples/demo-fixture.ts'
import {
  type AcceptanceRow,
  type IntentRow,
  KEEP_ACCEPTANCES,
  KEEP_INTENTS,
} from '../../gateway/orders/submission/submission-store.ts'
import { newId } from '../../gateway/platform/ids.ts'

/** Stands in the rows for an id: what differs between any two of them. */
const ID = '@id'
/** Ids in order of time, as the gateway makes them: pgbench's count first, its client behind. */
export const COUNTED_ID = `substr(:count::text, 1, 8) || '-' || substr(:count::text, 9) || '-7000-8000-' || lpad(:client_id::text, 12, '0')`
/** pgbench's counter has twelve digits from its start to its end. */
const COUNT_FROM = 100_000_000_000
const OPERATION = 'POST /api/v2/payments'
/** As long as what the gateway keeps: an answer of 75 characters under a data key and a master key. */
const SEALED_ANSWER_BYTES = 172

/** What the script wants to be defined when it starts. */
export const SCRIPT_VARIABLES: Readonly<Record<string, string>> = { count: String(COUNT_FROM) }

/** The script: one run of it is one initiation. */
export function initiationScript(now: Temporal.Instant): string {
  const partnerId = newId()
  return [
    '\\set count :count + 1',
    statement(KEEP_INTENTS, intentOf(partnerId, now)),
    statement(KEEP_ACCEPTANCES, acceptanceOf(partnerId, now)),
    '',
  ].join('\n')
}

/** The gateway sends the row as a parameter; here two parameters are put into its text, which costs microseconds. */
function statement(text: string, row: IntentRow | AcceptanceRow): string {
  // A colon before a letter or a digit begins a variable of pgbench, in texts too.
  const json = JSON.stringify([row]).replaceAll(/:(?=\w)/g, ': ')
  return `${text.replace('$1::jsonb', () => `replace($row$${json}$row$, '${ID}', ${COUNTED_ID})::jsonb`)};`
}

/** In the basic format of ISO 8601, which has no colons. */
function stamp(instant: Temporal.Instant): string {
  return instant.toString({ smallestUnit: 'second' }).replace(/[:-]/g, '')
}

function intentOf(partnerId: string, now: Temporal.Instant): IntentRow {
  const ordered = { ...invoice, metadata: { endToEndId: ID } }
  return {
    partner_id: partnerId,
    id: ID,
    type: 'Domestic',
    consent_id: newId(),
    bic: 'FJORNO22',
    country_code: 'NO',
    organisation_number: '987654325',
    end_to_end_id: ID,
    amount_minor: '125000',
    currency: 'NOK',
    debtor_bban: '80501100017',
    creditor_bban: '80501200011',
    due_date: '2026-11-25',
    ordered: JSON.stringify(ordered),
    bank_request_id: ID,
    hint_hash: 'h'.repeat(43),
    created_at: stamp(now),
    recover_at: stamp(now.add({ minutes: 1 })),
    duplicates_since: stamp(now.subtract({ hours: 24 })),
    idempotency: {
      partner_id: partnerId,
      operation: OPERATION,
      key: ID,
      fingerprint: 'f'.repeat(43),
      subject_id: ID,
      started_at: stamp(now),
    },
  }
}

function acceptanceOf(partnerId: string, now: Temporal.Instant): AcceptanceRow {
  return {
    partner_id: partnerId,
    id: ID,
    history_id: ID,
    bank_payment_id: ID,
    status: 'Unsigned',
    status_reason: null,
    status_reason_text: null,
    bank_status: 'RCVD',
    signed: false,
    at: stamp(now),
    // Late enough for the worker not to ask after it.
    poll_at: stamp(now.add({ hours: 1 })),
    final_since: null,
    exchange: null,
    idempotency: {
      partner_id: partnerId,
      operation: OPERATION,
      key: ID,
      status: 200,
      answer: 'ab'.repeat(SEALED_ANSWER_BYTES),
      finished_at: stamp(now),
    },
  }
}
