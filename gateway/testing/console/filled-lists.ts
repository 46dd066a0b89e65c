/** Fills the lists of the console with rows whose texts are as long as real ones, for tests of their layout. */
import type { TestGateway } from '../gateway/test-gateway.ts'

/** Rows that each list has in addition to the one that is copied: two or so with each of the texts below. */
const COPIES = 7

const NAMES = [
  'Nordnorsk Havbruksforvaltning og Eiendomsutvikling AS avdeling Tromsø',
  'Fastighetsförvaltningsbolaget Kungsängen-Stockholm Aktiebolag (publ)',
  'Vestjysk Maskinfabrik & Entreprenørforretning ApS under konkurs',
  'Keskinäinen työeläkevakuutusyhtiö Pohjois-Suomen Rakennusliikkeet Oy',
]
const BANK_TEXT =
  'AM04: The order was rejected by the bank because the available balance of the debtor account, after reservations and the ' +
  'agreed overdraft, does not cover the amount of 9 876 543,21 NOK on the execution date; contact your adviser.'
const ORIGIN = 'https://erp.nordnorsk-havbruksforvaltning.example:8443'

// SQL: `n` numbers the copies, `t` is the copied row. Chance would decide where an id breaks.
const oneOf = (...values: readonly string[]) => `(array['${values.join("', '")}'])[1 + n % ${values.length}]`
const NAME = oneOf(...NAMES)
const EMAIL = `'anne-margrethe.christoffersen-lindqvist+' || n || '@regnskap.nordnorsk-havbruksforvaltning.example'`
const UUID = `md5('id ' || n)::uuid`
const HASH = `md5('hash ' || n)`
const URL_TEXT = `'${ORIGIN}/integrations/havn/webhooks/payment-status?tenant=' || ${UUID}`
const LATER = `(t.created_at + n * interval '1 minute')`
const ORDERED = `jsonb_set(jsonb_set(t.ordered::jsonb, '{amount,amount}', '"9876543.21"'), '{to,contactInformation,name}', to_jsonb(${NAME}))`

/** Which row is copied, where the list does not show all. */
const CONDITIONS: Readonly<Record<string, string>> = { payments: 'where payroll_id is null' }

/** What differs between the copies of the newest row of a table. */
const CHANGES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  partners: { name: `${NAME} || ' ' || n`, callback_origins: `array['${ORIGIN}']` },
  payments: {
    end_to_end_id: `upper(left(${HASH}, 31)) || n`,
    amount_minor: '987654321',
    status: oneOf('Rejected', 'CustomerActionRequired', 'Completed', 'InProgress'),
    status_reason: `'InsufficientFunds'`,
    status_reason_text: `'${BANK_TEXT}'`,
    ordered: `${ORDERED}::text`,
    created_at: LATER,
  },
  payrolls: { status: `'Rejected'`, state_text: `'${BANK_TEXT}'`, transaction_count: '12345', created_at: LATER },
  approvals: { created_at: LATER },
  cancellations: { bank_request_id: UUID, status: `'REJECTED'`, reason: `'${BANK_TEXT}'`, created_at: LATER },
  consents: { status: `'EXPIRED'`, status_reason: `'${BANK_TEXT}'`, created_at: LATER },
  onboardings: { link_hash: HASH, organisation_name: NAME, status_reason: `'${BANK_TEXT}'`, created_at: LATER },
  companies: { organisation_number: '(900000000 + n)::text', name: NAME },
  clients: { client_id: UUID, secret_hash: HASH },
  fx_deals: {
    quote_id: UUID,
    payment_id: UUID,
    cost_minor: '987654321',
    buy_minor: '98765432',
    reason: `'${BANK_TEXT}'`,
    created_at: LATER,
  },
  fx_inbound_funds: { provider_funds_id: UUID, reference: `'${BANK_TEXT}'` },
  operator_tasks: {
    subject_id: UUID,
    kind: oneOf('UnknownOutcome', 'BulkCarriedOutInPart', 'StuckInProgress', 'OnboardingToReview'),
    detail: `jsonb_build_object('bankText', '${BANK_TEXT}', 'bankRequestId', ${UUID})`,
    status: oneOf('open', 'proposed'),
    proposed_by: EMAIL,
  },
  audit_log: {
    actor: `'user ' || ${EMAIL}`,
    action: oneOf('bank created or updated', 'partner created', 'deal cancelled', 'webhook subscription created'),
    subject_id: UUID,
    detail: `jsonb_build_object('name', ${NAME}, 'targetUrl', ${URL_TEXT}, 'note', '${BANK_TEXT}')`,
    at: `(t.at + n * interval '1 minute')`,
  },
  request_log: {
    path: `'/api/v2/payments/' || ${UUID} || '/cancellations/' || ${UUID}`,
    error_codes: `array['InvalidAmount', 'InvalidCreditorAccountNumber', 'RequestedExecutionDateNotBankDay']`,
  },
  console_users: { name: EMAIL },
  console_sessions: {
    token_hash: HASH,
    name: EMAIL,
    user_agent: `'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'`,
  },
  webhook_subscriptions: {},
  webhook_deliveries: {},
  webhook_inbox_deliveries: {},
}

/** Copies the newest row of each table. */
export async function fillConsoleLists({ context }: Pick<TestGateway, 'context'>): Promise<void> {
  const { pool } = context.database
  for (const [table, changes] of Object.entries(CHANGES)) {
    const key = table === 'clients' ? 'client_id' : 'id'
    // The first parts of an id are its time.
    const id = `left(t.${key}::text, 24) || left(md5(n::text), 12)`
    const members = Object.entries({ [key]: id, ...changes }).map(([column, source]) => `'${column}', ${source}`)
    await pool.query(
      `insert into ${table} overriding user value select copy.* from (select * from ${table} ${CONDITIONS[table] ?? ''} order by ${key} desc limit 1) t,
         generate_series(1, ${COPIES}) n,
         jsonb_populate_record(null::${table}, to_jsonb(t) || jsonb_build_object(${members.join(', ')})) copy`,
    )
  }
  await pool.query(
    `insert into webhook_endpoints
     select s.partner_id, s.id, s.endpoint_version, ${URL_TEXT}, '${ORIGIN}'
     from webhook_subscriptions s, generate_series(1, 1) n
     where not exists (select from webhook_endpoints e where e.partner_id = s.partner_id and e.subscription_id = s.id)`,
  )
  await pool.query(
    `insert into fx_ledger_lines
     select f.partner_id, f.id, l.event, l.account, l.currency, l.minor, f.id, l.at
     from fx_inbound_funds f, fx_ledger_lines l
     where not exists (select from fx_ledger_lines o where o.partner_id = f.partner_id and o.subject_id = f.id)
       and l.subject_id in (select id from fx_inbound_funds)`,
  )
}
