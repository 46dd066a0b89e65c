-- The tables of the gateway. Every key of a partner's table begins with `partner_id`, so that tables can be distributed
-- by it (Citus); indexes of due-row scans begin with the due time instead. Times are parameters of statements, never
-- `now()`.

-- Banks of the directory, with their recent availability. Shared by all partners.
create table banks (
  bic text not null,
  name text not null,
  country_code text not null,
  connector text not null,
  profile text not null,
  -- Base URL of the bank's API, without /v1.
  address text not null,
  -- host:port of every target that the bank's links may have.
  link_hosts text[] not null,
  enabled boolean not null default true,
  -- Consecutive failed calls, the time of the first one, and until when the circuit breaker is open; wall time.
  failures int not null default 0,
  failing_since timestamptz,
  paused_until timestamptz,
  -- The circuit breaker of initiations, separate from other calls: a bank that accepts no orders can still be polled
  -- for those it has.
  order_failures int not null default 0,
  orders_failing_since timestamptz,
  constraint banks_pkey primary key (bic)
);

-- How far business time is ahead of wall time; only the sandbox moves it.
create table business_clock (
  only_row boolean not null default true,
  offset_milliseconds bigint not null,
  -- Where the sandbox clock is being moved to; null when no move is in progress.
  moving_to timestamptz,
  constraint business_clock_pkey primary key (only_row),
  constraint business_clock_only_row_check check (only_row)
);

-- Locked while the clock moves, so that readers of the offset never wait.
create table business_clock_move_lock (
  only_row boolean not null default true,
  constraint business_clock_move_lock_pkey primary key (only_row),
  constraint business_clock_move_lock_only_row_check check (only_row)
);

-- Operator tasks and the audit log.
create table operator_tasks (
  partner_id uuid not null,
  id uuid not null,
  kind text not null,
  subject_type text not null,
  subject_id uuid not null,
  advice text not null,
  detail jsonb not null,
  status text not null,
  created_at timestamptz not null,
  -- Resolving an unknown outcome takes two operators: the first proposes a resolution, the second confirms it.
  proposed_by text,
  proposed_resolution jsonb,
  proposed_at timestamptz,
  resolved_by text,
  resolution jsonb,
  resolved_at timestamptz,
  constraint operator_tasks_pkey primary key (partner_id, id),
  constraint operator_tasks_status_check check (status in ('open', 'proposed', 'resolved'))
);
create unique index operator_tasks_one_open on operator_tasks (partner_id, kind, subject_id)
  where status <> 'resolved';
create index operator_tasks_subject on operator_tasks (partner_id, subject_id);
create index operator_tasks_open on operator_tasks (created_at) where status <> 'resolved';

create table audit_log (
  partner_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  actor text not null,
  action text not null,
  subject_type text not null,
  subject_id text not null,
  detail jsonb not null,
  constraint audit_log_pkey primary key (partner_id, id)
);
create index audit_log_subject on audit_log (partner_id, subject_id, id);

-- Partners, their credentials, and the keys that sign access tokens.
create table partners (
  id uuid not null,
  name text not null,
  payroll_bulk boolean not null default false,
  ais_registration boolean not null default false,
  -- Permitted origins of callback URLs in production, e.g. https://erp.example.
  callback_origins text[] not null default '{}'::text[],
  created_at timestamptz not null,
  disabled_at timestamptz,
  constraint partners_pkey primary key (id),
  constraint partners_name_key unique (name)
);

create table clients (
  client_id text not null,
  partner_id uuid not null,
  -- Secrets are 256 random bits: a plain SHA-256 cannot be searched.
  secret_hash text not null,
  created_at timestamptz not null,
  disabled_at timestamptz,
  -- Whether the client may initiate payrolls.
  payroll boolean not null default false,
  constraint clients_pkey primary key (client_id),
  constraint clients_partner_id_fkey foreign key (partner_id) references partners(id)
);
create index clients_partner on clients (partner_id);

create table token_keys (
  kid text not null,
  public_jwk jsonb not null,
  private_jwk_sealed bytea not null,
  created_at timestamptz not null,
  -- A retired key signs no new tokens; its tokens are valid until they expire.
  retired_at timestamptz,
  disabled_at timestamptz,
  constraint token_keys_pkey primary key (kid)
);

-- Responses by Idempotency-Key, so that repeating a request is safe.
create table idempotency (
  partner_id uuid not null,
  operation text not null,
  key text not null,
  fingerprint text not null,
  subject_id uuid,
  outcome_unknown boolean not null default false,
  started_at timestamptz not null,
  finished_at timestamptz,
  status int,
  answer bytea,
  constraint idempotency_pkey primary key (partner_id, operation, key)
  -- Half of each page is free for the responses, so that storing one writes no index entry.
) with (fillfactor = 50);
create index idempotency_retention on idempotency (started_at);

-- Companies that a partner acts for; each partner sees only its own.
create table companies (
  partner_id uuid not null,
  id uuid not null,
  country_code text not null,
  organisation_number text not null,
  name text not null,
  onboarded boolean not null,
  active_subscription boolean not null,
  services text[] not null,
  international_payments boolean not null default false,
  onboarding_id uuid,
  created_at timestamptz not null,
  constraint companies_pkey primary key (partner_id, id),
  constraint companies_number unique (partner_id, country_code, organisation_number)
);

-- A user's consent to let a partner act for a company at a bank, and the accounts it gives.
create table consents (
  partner_id uuid not null,
  id uuid not null,
  company_id uuid not null,
  bic text not null,
  bank_branch text,
  country_code text not null,
  organisation_number text not null,
  status text not null,
  status_reason text,
  user_id_sealed bytea,
  user_id_masked text,
  bank_consent_id_sealed bytea,
  callback_url text not null,
  valid_until timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  accepted_at timestamptz,
  -- Business time of the next state check: the end of validity.
  due_at timestamptz,
  -- Business time of the next attempt to revoke it at the bank; null when there is nothing to revoke.
  revoke_at timestamptz,
  revoke_attempts int not null default 0,
  lease_until timestamptz,
  -- Business time of the next read that checks at the bank whether a valid consent is still valid there.
  refresh_at timestamptz,
  -- Business time of the next attempt to revoke the tokens of an ended consent; null when there are none.
  token_release_at timestamptz,
  -- Failed attempts to revoke them.
  token_release_attempts int not null default 0,
  -- For payment files: agreements in place of consents, each file with its submission, and the bank reports that were
  -- read. An operator enters an agreement: the customer has a contract with the bank on paper.
  agreement boolean not null default false,
  constraint consents_pkey primary key (partner_id, id)
);
create index consents_company on consents (partner_id, organisation_number);
-- Banks count consents per third party, which Havn is for all partners together.
create index consents_at_bank on consents (bic, organisation_number) where status = 'ACCEPTED';
-- For due-row scans of all partners: begins with the due time.
create index consents_due on consents (bic, due_at) where due_at is not null;
create index consents_revoke on consents (bic, revoke_at) where revoke_at is not null;
create index consents_refresh on consents (bic, refresh_at) where refresh_at is not null;
create index consents_token_release on consents (bic, token_release_at) where token_release_at is not null;
-- Consents that expire soon are counted and listed for operators.
create index consents_expiring on consents (valid_until) where status = 'ACCEPTED';
-- Before tokens are revoked: does another consent of the same user at the same bank still use them?
create index consents_awaiting on consents (bic) where status = 'AUTHORIZATION_REQUIRED';
create index consents_agreements on consents (partner_id, id) where agreement;

create table consent_accounts (
  partner_id uuid not null,
  consent_id uuid not null,
  id uuid not null,
  resource_id text not null,
  stable_id text not null,
  bban text,
  iban text,
  bic text not null,
  name text,
  owner_name text,
  currency text not null,
  type text not null,
  payable boolean,
  constraint consent_accounts_pkey primary key (partner_id, consent_id, id)
);

-- SCA sessions: a link, the authorisations behind it, and what was signed.
create table sca_sessions (
  partner_id uuid not null,
  id uuid not null,
  kind text not null,
  subject_id uuid not null,
  consent_id uuid,
  bic text,
  callback_url text not null,
  link_hash text not null,
  -- The link itself, encrypted, for the partner that reads it again before its first use.
  link_sealed bytea,
  -- The browser that opened the link first; no other one may continue.
  browser_hash text,
  status text not null,
  -- Set by the first process that decides the outcome; the owner is notified of this outcome only.
  outcome text,
  created_at timestamptz not null,
  left_at timestamptz,
  -- When the current authorisation expires; each one of a chain has `step_seconds`.
  expires_at timestamptz not null,
  step_seconds int not null,
  ended_at timestamptz,
  read_at timestamptz,
  -- Business time of the next poll at the bank, or of the end of the session.
  due_at timestamptz,
  lease_until timestamptz,
  -- Who shows the user what to do: Havn on a page, or the partner, who is given a code to show.
  shown_by text not null default 'page',
  -- The SCA approach that the user prefers; null leaves it to the bank.
  preferred text,
  -- Wall time from which the return is trusted: the browser that left came back, or its user confirmed it in another
  -- browser.
  trusted_at timestamptz,
  trusted_by text,
  -- The browser that came back instead of the one that left, and may confirm whose it is.
  confirm_hash text,
  -- Wall time of the last poll that an inbound notification caused.
  bank_notified_at timestamptz,
  -- Name of the identity provider in the settings; null for a bank.
  identity_provider text,
  -- The bank or identity provider; due-row scans limit their concurrency by it.
  sca_provider text not null generated always as (coalesce(bic, identity_provider)) stored,
  constraint sca_sessions_pkey primary key (partner_id, id),
  constraint sca_sessions_one_provider check ((bic is null) <> (identity_provider is null)),
  constraint sca_sessions_preferred_check check (preferred in ('redirect', 'qr')),
  constraint sca_sessions_shown_by_check check (shown_by in ('page', 'partner')),
  constraint sca_sessions_trusted_by_check check (trusted_by in ('return', 'confirmation')),
  constraint sca_sessions_consent_at_bank check ((bic is null) = (consent_id is null))
);
create index sca_sessions_subject on sca_sessions (partner_id, kind, subject_id);
create index sca_sessions_due on sca_sessions (sca_provider, due_at) where due_at is not null;

create table sca_steps (
  partner_id uuid not null,
  sca_session_id uuid not null,
  position int not null,
  target_type text not null,
  target_id uuid not null,
  authorisation_id text,
  redirect_sealed bytea,
  return_hash text,
  state text not null,
  sca_status text,
  -- Evidence: who signed what, from where, when, and what was shown.
  shown jsonb not null,
  user_sealed bytea,
  ip_address text,
  user_agent text,
  started_at timestamptz,
  left_at timestamptz,
  -- Wall time of the last poll that was caused by the browser coming back.
  returned_at timestamptz,
  ended_at timestamptz,
  -- Null until it is started. The bank's URL is in redirect_sealed, the bank's instructions in text_sealed.
  approach text,
  text_sealed bytea,
  -- A code that stays the same for as long as it can be scanned.
  code_sealed bytea,
  -- What the connector needs when the browser comes back from the bank.
  return_secret_sealed bytea,
  -- Query parameters of the last return of the browser; each is sent to the bank once only.
  callback_hash text,
  -- Wall time until which a process holds the lease for sending them; null once the bank has answered.
  callback_lease_until timestamptz,
  -- Wall time until which a process holds the lease for starting its authorisation at the bank.
  start_lease_until timestamptz,
  -- How often a new code was requested because the previous one was not scanned.
  renewals int not null default 0,
  -- The language of the pages.
  language text,
  -- For payrolls: the summary that the user was shown, and the total, are encrypted.
  shown_sealed bytea,
  constraint sca_steps_pkey primary key (partner_id, sca_session_id, "position"),
  constraint sca_steps_approach_check check (approach in ('redirect', 'app', 'code', 'none'))
);
create index sca_steps_target on sca_steps (partner_id, target_id);

-- Domains instead of check constraints: PostgreSQL parses a constraint's expression again in each statement, which takes
-- as long as inserting the row (docs/decisions/0092-statements-of-an-initiation.md).
-- in-flight: submitted, without an answer yet. unknown: the bank did not answer. known: the bank has accepted the
-- order. void: the bank certainly never accepted it.
create domain submission_outcome as text
  constraint submission_outcome_check check (value in ('in-flight', 'known', 'unknown', 'void'));
create domain exchange_state as text
  constraint exchange_state_check
    check (value in ('booking', 'unsigned', 'confirmed', 'funded', 'paid', 'returned', 'cancelled', 'rejected', 'uncancellable'));

-- Payments: the order, its status at the bank, and when it is polled next.
create table payments (
  partner_id uuid not null,
  id uuid not null,
  type text not null,
  consent_id uuid not null,
  bic text not null,
  country_code text not null,
  organisation_number text not null,
  end_to_end_id text not null,
  amount_minor bigint not null,
  currency text not null,
  debtor_bban text not null,
  creditor_bban text not null,
  due_date date not null,
  -- The order exactly as the partner sent it, in JSON.
  ordered text not null,
  outcome submission_outcome not null,
  bank_request_id uuid not null,
  -- The Idempotency-Key, whose record gets the outcome.
  idempotency_operation text,
  idempotency_key text,
  bank_payment_id text,
  status text not null,
  status_reason text,
  status_reason_text text,
  bank_status text,
  -- Whether all signatures that Havn knows to be required were given.
  signed boolean not null default false,
  notification_token_hash text not null,
  bank_notified_at timestamptz,
  -- Business time: creation, last successful poll, last change of status.
  created_at timestamptz not null,
  status_at timestamptz not null,
  changed_at timestamptz not null,
  -- Business time of the next poll; null when no change is expected.
  poll_at timestamptz,
  poll_step int not null default 0,
  -- Business time since which polls have failed; null when the last one succeeded.
  unread_since timestamptz,
  final_since timestamptz,
  -- Wall time after which recovery takes over a submission without an answer.
  recover_at timestamptz,
  lease_until timestamptz,
  -- Business time of the newest event.
  announced_at timestamptz,
  -- When the bank first reported that it does not have the unsigned order any more; null while it has.
  expired_at timestamptz,
  -- When the last required signature was given; null while one is missing.
  signed_at timestamptz,
  -- The account entry that showed the payment as booked.
  settled_by text,
  -- When the bank accepted the cancellation: the order is never resubmitted, even if the bank does not show it any
  -- more.
  cancellation_accepted_at timestamptz,
  -- Null for payments without exchange.
  exchange exchange_state,
  quote_id uuid,
  -- Business time until which it must be signed.
  deadline_at timestamptz,
  -- Business time of the next step of the exchange: the deadline, then retries of what was decided at the provider.
  -- Null when nothing is left to do.
  decide_at timestamptz,
  -- Orders of payrolls are rows of `payments` that are not payments of the API; their type is Payroll.
  payroll_id uuid
) with (fillfactor = 80);
create index payments_created on payments (partner_id, created_at, id);
create index payments_changed on payments (partner_id, changed_at, id);
-- While an outcome is open, an equal order is rejected.
create unique index payments_open_outcome on payments (partner_id, end_to_end_id, amount_minor, currency, creditor_bban)
  where outcome in ('in-flight', 'unknown');
-- One order at a bank is one payment here.
create unique index payments_at_bank on payments (partner_id, bic, bank_payment_id) where bank_payment_id is not null;
-- For due-row scans of all partners: begins with the due time.
create index payments_poll on payments (bic, poll_at) where poll_at is not null;
create index payments_recover on payments (bic, recover_at) where recover_at is not null;
-- One account entry settles one payment.
create unique index payments_settled_by on payments (partner_id, bic, debtor_bban, settled_by)
  where settled_by is not null;
-- Payments of an account that wait for an entry.
create index payments_awaiting_entry on payments (partner_id, bic, debtor_bban, due_date)
  where status = 'InProgress' and outcome = 'known';
-- Lists of one company, and of a rare status: most payments are Completed, and found in the order of all.
create index payments_company on payments (partner_id, organisation_number, created_at, id);
create index payments_status on payments (partner_id, status, created_at, id) where status <> 'Completed';
-- A quote is booked once.
create unique index payments_quote on payments (partner_id, quote_id)
  where quote_id is not null and outcome <> 'void';
create index payments_decision_due on payments (bic, decide_at) where decide_at is not null;
create index payments_payroll on payments (partner_id, payroll_id) where payroll_id is not null;
-- Orders of payrolls by account and day, to exclude payroll bookings from account entries.
create index payments_payroll_account on payments (partner_id, bic, debtor_bban, due_date)
  where payroll_id is not null;
-- Match criteria of account entries: the payments of a page of entries are found by its amounts, in one query.
create index payments_debited on payments (bic, partner_id, debtor_bban, amount_minor, due_date);
-- Lists: each index serves a filter and the order of its pages.
create index payments_end_to_end on payments (end_to_end_id, ((partner_id)::text), created_at, id);
-- Created last: of equal indexes PostgreSQL prefers the youngest (docs/decisions/0085-plans-without-statistics.md).
alter table payments add constraint payments_pkey primary key (partner_id, id);

create table payment_history (
  partner_id uuid not null,
  payment_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  status text not null,
  status_reason text,
  status_reason_text text,
  bank_status text,
  constraint payment_history_pkey primary key (partner_id, payment_id, id)
);

-- Approvals: one user signing one or several payments.
create table approvals (
  partner_id uuid not null,
  id uuid not null,
  consent_id uuid not null,
  status text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint approvals_pkey primary key (partner_id, id)
);

create table approval_payments (
  partner_id uuid not null,
  approval_id uuid not null,
  payment_id uuid not null,
  position int not null,
  -- What was bound to the signature: the bank's id, and a digest of amount and receiver.
  bank_payment_id text not null,
  order_digest text not null,
  result text not null,
  -- Whether a payment already had a signature before this approval began: some banks report the result of an
  -- authorisation only as the status of the payment.
  partly_signed boolean not null default false,
  -- The basket in which the payment is signed; null if it is signed alone.
  basket_id uuid,
  constraint approval_payments_pkey primary key (partner_id, approval_id, payment_id)
);
create index approval_payments_payment on approval_payments (partner_id, payment_id);

-- An approval leases its payments until it is stored, so that only one authorisation is started at a time.
create table approval_leases (
  partner_id uuid not null,
  payment_id uuid not null,
  approval_id uuid not null,
  -- Wall time at which the lease of a process that has died ends.
  lease_until timestamptz not null,
  constraint approval_leases_pkey primary key (partner_id, payment_id)
);

-- Events: written in the transaction of the change that they report, and never changed.
create table events (
  partner_id uuid not null,
  -- Increases without gaps for each partner, in the order of commits: a reader that has read up to a position has
  -- missed none.
  position bigint not null,
  id uuid not null,
  type text not null,
  version text not null,
  payment_id uuid not null,
  -- Business time; later than that of every earlier event of the payment.
  occurred_at timestamptz not null,
  -- The body in JSON exactly as it is signed and delivered.
  body text not null,
  constraint events_pkey primary key (partner_id, "position")
);
create unique index events_id on events (partner_id, id);
create index events_payment on events (partner_id, payment_id, "position");
-- Replays of events begin at a time.
create index events_occurred on events (partner_id, occurred_at, "position");

-- The newest position of each partner. The transaction that takes the next one locks this row until it commits.
create table event_positions (
  partner_id uuid not null,
  position bigint not null,
  -- The position up to which events are deleted: a reader that has read less has missed some.
  deleted_up_to bigint not null default 0,
  constraint event_positions_pkey primary key (partner_id)
);

-- Expired orders that were resubmitted, each with its former id. They are polled for some days: one that reappears is a
-- second order for the same payment.
create table expired_orders (
  partner_id uuid not null,
  payment_id uuid not null,
  bank_payment_id text not null,
  bank_request_id uuid not null,
  notification_token_hash text not null,
  expired_at timestamptz not null,
  id uuid not null,
  bic text not null,
  -- Business time of the next poll; null when no change is expected.
  poll_at timestamptz,
  lease_until timestamptz,
  -- The state to which the payment returns when the bank does not accept the resubmission.
  previous_bank_notified_at timestamptz,
  previous_poll_at timestamptz,
  previous_poll_step int not null,
  previous_unread_since timestamptz,
  constraint expired_orders_pkey primary key (partner_id, payment_id, bank_payment_id)
);
create index expired_orders_poll on expired_orders (bic, poll_at) where poll_at is not null;

-- When the entries of an account were last read without its user: banks permit few such reads a day.
create table entry_reads (
  partner_id uuid not null,
  bic text not null,
  bban text not null,
  -- Business time.
  read_at timestamptz not null,
  -- Whether the bank rejected the last read; operators were notified then.
  rejected boolean not null default false,
  constraint entry_reads_pkey primary key (partner_id, bic, bban)
);

-- Webhooks: subscriptions, and every delivery.
create table webhook_subscriptions (
  partner_id uuid not null,
  id uuid not null,
  enabled boolean not null,
  event_types text[] not null,
  -- The version of the endpoint for new deliveries.
  endpoint_version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint webhook_subscriptions_pkey primary key (partner_id, id)
);
create index webhook_subscriptions_retention on webhook_subscriptions (updated_at) where not enabled;

-- URL and credentials of an endpoint. Never changed: a delivery keeps the version with which it was enqueued.
create table webhook_endpoints (
  partner_id uuid not null,
  subscription_id uuid not null,
  version int not null,
  target_url text not null,
  -- Scheme, host and port; deliveries to one origin share its connections.
  origin text not null,
  signing_secret_sealed bytea,
  bearer_token_sealed bytea,
  -- Set when a version is replaced: all deliveries that use it have an id below this one.
  referenced_below_id uuid,
  constraint webhook_endpoints_pkey primary key (partner_id, subscription_id, version)
);
create index webhook_endpoints_replaced on webhook_endpoints (partner_id, subscription_id, version)
  where referenced_below_id is not null;

-- One event for one subscription. A row is written at most three times unless the endpoint fails, so that pages have
-- room for two updates.
create table webhook_deliveries (
  partner_id uuid not null,
  subscription_id uuid not null,
  id uuid not null,
  endpoint_version int not null,
  origin text not null,
  event_id uuid not null,
  event_type text not null,
  -- The subject of the event; deliveries of one subject are sent one after the other. Null for tests.
  subject_id uuid,
  -- The body exactly as it is signed and sent.
  body text not null,
  status text not null,
  -- As shown in the log.
  attempts jsonb not null default '[]',
  attempts_made int not null default 0,
  -- Whether it is ready to be sent; deliveries that wait for `due_at` become ready then.
  ready boolean not null,
  -- Business time of the next attempt; null when there is none.
  due_at timestamptz,
  -- Wall time until which a worker holds its lease.
  lease_until timestamptz,
  -- Business time.
  created_at timestamptz not null,
  -- The order of enqueueing across processes: ids are ordered within one process only.
  sequence bigint generated always as identity,
  -- Manual retries by the partner: one of each event at a time.
  retried_manually boolean not null default false,
  constraint webhook_deliveries_pkey primary key (partner_id, subscription_id, id)
) with (fillfactor = 70);
create index webhook_deliveries_due on webhook_deliveries (due_at) where due_at is not null and not ready;
create index webhook_deliveries_ready on webhook_deliveries (partner_id, origin, sequence) where ready;
-- Webhooks are stored for 30 days. The log is filtered by status and type of event:
-- each of the few types and statuses is one range of this index, in the order of ids.
create index webhook_deliveries_log on webhook_deliveries (partner_id, subscription_id, event_type, status, id);
create unique index webhook_deliveries_by_hand on webhook_deliveries (partner_id, subscription_id, event_id)
  where retried_manually and (due_at is not null);

-- Baskets: payments of an approval that their bank lets its user sign together.
create table approval_baskets (
  partner_id uuid not null,
  id uuid not null,
  bic text not null,
  -- The consent whose user signs it.
  consent_id uuid not null,
  approval_id uuid not null,
  bank_request_id uuid not null,
  -- Null until the bank has answered.
  bank_basket_id text,
  -- in-flight: being created at the bank. unknown: the bank did not answer. rejected: the bank does not let these
  -- payments be signed together. unsigned: the bank has created it. signed: a user has signed it. void: the bank
  -- certainly does not have it, or no longer.
  state text not null,
  created_at timestamptz not null,
  -- Business time of its next maintenance; null when there is none.
  due_at timestamptz,
  lease_until timestamptz,
  constraint approval_baskets_pkey primary key (partner_id, id),
  constraint approval_baskets_state_check check (state in ('in-flight', 'unknown', 'rejected', 'unsigned', 'signed', 'void'))
);
create index approval_baskets_approval on approval_baskets (partner_id, approval_id);
-- For due-row scans of all partners: begins with the bank and the due time.
create index approval_baskets_due on approval_baskets (bic, due_at) where due_at is not null;

-- The payments in a basket; an order that was resubmitted since is not in it any more.
create table approval_basket_payments (
  partner_id uuid not null,
  basket_id uuid not null,
  payment_id uuid not null,
  bank_payment_id text not null,
  constraint approval_basket_payments_pkey primary key (partner_id, basket_id, payment_id)
);
create index approval_basket_payments_payment on approval_basket_payments (partner_id, payment_id);

-- Cancellations: the request to cancel one payment, recorded before the bank is called.
create table cancellations (
  partner_id uuid not null,
  id uuid not null,
  payment_id uuid not null,
  bic text not null,
  -- Evidence: the user and the user's IP address; null where the partner did not send it.
  consent_id uuid not null,
  ip_address text,
  user_agent text,
  -- What is cancelled, and whether it was signed at that time: a later signature supersedes the request.
  bank_payment_id text,
  was_signed boolean not null,
  -- The X-Request-ID at the bank, the same when the call is repeated.
  bank_request_id uuid not null,
  status text not null,
  reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Wall time of the first call, and after which it is repeated while its outcome is unknown.
  requested_at timestamptz not null,
  recover_at timestamptz,
  lease_until timestamptz,
  payroll_cancellation_id uuid,
  constraint cancellations_pkey primary key (partner_id, id)
);
-- A payment has one cancellation in progress at a time.
create unique index cancellations_open on cancellations (partner_id, payment_id)
  where status in ('REQUESTED', 'AUTHORIZATION_REQUIRED');
create index cancellations_recover on cancellations (bic, recover_at) where recover_at is not null;
create index cancellations_of_payroll on cancellations (partner_id, payroll_cancellation_id)
  where payroll_cancellation_id is not null;

-- OAuth 2.0 tokens at banks with an authorisation server: one row per grant, because a refresh token is used once.
create table bank_tokens (
  partner_id uuid not null,
  id uuid not null,
  -- Both tokens and their issuer, encrypted together.
  tokens_sealed bytea not null,
  -- Wall time at which the access token expires.
  expires_at timestamptz not null,
  -- Lease of the process that refreshes the tokens: banks revoke a grant that is refreshed twice.
  lease_until timestamptz,
  constraint bank_tokens_pkey primary key (partner_id, id)
);

-- What a grant authorises: a consent, a payment, or all payments of a basket.
create table bank_token_subjects (
  partner_id uuid not null,
  -- The consent or the payment.
  subject_id uuid not null,
  token_id uuid not null,
  constraint bank_token_subjects_pkey primary key (partner_id, subject_id),
  constraint bank_token_subjects_partner_id_token_id_fkey foreign key (partner_id, token_id)
    references bank_tokens(partner_id, id) on delete cascade
);
create index bank_token_subjects_by_token on bank_token_subjects (partner_id, token_id);

-- Onboardings: from the partner's link to the activated company, with what its users enter and sign.
create table onboardings (
  partner_id uuid not null,
  id uuid not null,
  country_code text not null,
  organisation_number text not null,
  -- As in the registry; null until the link is opened.
  organisation_name text,
  status text not null,
  status_reason text,
  redirect_url text,
  link_hash text not null,
  -- Version for optimistic locking, so that two tabs do not overwrite each other.
  revision int not null default 0,
  -- What the registry returned and the users entered, encrypted together.
  answers_sealed bytea,
  -- When the summary was confirmed, and the SHA-256 of the documents to be signed.
  submitted_at timestamptz,
  document_hash text,
  -- The completed tasks, unencrypted, so that the status needs no decryption.
  tasks_done text[] not null default '{}'::text[],
  -- The documents that an operator requested, in the operator's words, until they are uploaded.
  documents_requested_sealed bytea,
  documents_requested_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz,
  -- Business time at which it expires, or is decided because all signatures are complete.
  due_at timestamptz,
  -- Business time at which the data of an unsuccessful onboarding are deleted.
  purge_at timestamptz,
  lease_until timestamptz,
  constraint onboardings_pkey primary key (partner_id, id)
);
create index onboardings_company on onboardings (partner_id, country_code, organisation_number);
-- For due-row scans of all partners: begins with the country and the due time.
create index onboardings_due on onboardings (country_code, due_at) where due_at is not null;
create index onboardings_retention on onboardings (country_code, purge_at) where purge_at is not null;

-- Signatories with their links; a link gives access to its signatory's part only.
create table onboarding_signers (
  partner_id uuid not null,
  id uuid not null,
  onboarding_id uuid not null,
  position int not null,
  -- Name, birth date and roles, as the registry or the company's users entered them.
  named_sealed bytea not null,
  status text not null,
  link_hash text,
  link_revoked_at timestamptz,
  -- The identified person, and the identity provider's signed statement of what was signed.
  identified_sealed bytea,
  evidence_sealed bytea,
  created_at timestamptz not null,
  signed_at timestamptz,
  constraint onboarding_signers_pkey primary key (partner_id, id),
  constraint onboarding_signers_partner_id_onboarding_id_fkey foreign key (partner_id, onboarding_id)
    references onboardings(partner_id, id)
);
create index onboarding_signers_onboarding on onboarding_signers (partner_id, onboarding_id);

-- A browser that opened a link.
create table onboarding_sessions (
  partner_id uuid not null,
  id uuid not null,
  onboarding_id uuid not null,
  -- The signatory of the link; null for the link of the partner.
  signer_id uuid,
  token_hash text not null,
  -- From when on it may see the personal data that users entered.
  trusted_at timestamptz,
  created_at timestamptz not null,
  -- Wall time.
  expires_at timestamptz not null,
  identified_at timestamptz,
  constraint onboarding_sessions_pkey primary key (partner_id, id),
  constraint onboarding_sessions_token unique (partner_id, token_hash),
  constraint onboarding_sessions_partner_id_onboarding_id_fkey foreign key (partner_id, onboarding_id)
    references onboardings(partner_id, id)
);
create index onboarding_sessions_onboarding on onboarding_sessions (partner_id, onboarding_id);

-- Files that an operator requested.
create table onboarding_documents (
  partner_id uuid not null,
  id uuid not null,
  onboarding_id uuid not null,
  name_sealed bytea not null,
  media_type text not null,
  bytes int not null,
  content_sealed bytea not null,
  uploaded_at timestamptz not null,
  constraint onboarding_documents_pkey primary key (partner_id, id),
  constraint onboarding_documents_partner_id_onboarding_id_fkey foreign key (partner_id, onboarding_id)
    references onboardings(partner_id, id)
);
create index onboarding_documents_onboarding on onboarding_documents (partner_id, onboarding_id);

-- Results of signatures at the identity provider, from which the step of a session is read.
create table onboarding_signatures (
  partner_id uuid not null,
  -- The authorisation of the step.
  id uuid not null,
  signer_id uuid not null,
  identity_provider text not null,
  state text not null,
  -- Why it was rejected.
  rejection text,
  -- The signatory and the provider's signed statement, until the signatory's row has both.
  proof_sealed bytea,
  ended_at timestamptz not null,
  constraint onboarding_signatures_pkey primary key (partner_id, id),
  constraint onboarding_signatures_partner_id_signer_id_fkey foreign key (partner_id, signer_id)
    references onboarding_signers(partner_id, id) on delete cascade,
  constraint onboarding_signatures_check check ((rejection is null) = (state = 'signed')),
  constraint onboarding_signatures_state_check check (state in ('signed', 'rejected'))
);
create index onboarding_signatures_signer on onboarding_signatures (partner_id, signer_id, id);

-- Identification without signing: what the browser must return with, one for each session, the latest.
create table onboarding_identifications (
  partner_id uuid not null,
  session_id uuid not null,
  identity_provider text not null,
  secret_sealed bytea not null,
  -- Wall time.
  started_at timestamptz not null,
  constraint onboarding_identifications_pkey primary key (partner_id, session_id),
  constraint onboarding_identifications_partner_id_session_id_fkey foreign key (partner_id, session_id)
    references onboarding_sessions(partner_id, id) on delete cascade
);

-- Maintenance of consents: reads without the user are counted, the bank is polled once a day, tokens are revoked at the
-- end.
create table unattended_reads (
  partner_id uuid not null,
  consent_id uuid not null,
  -- What is read: the list of accounts, or an account's balance, entries or entry details.
  kind text not null,
  -- The account; empty for the list.
  stable_id text not null,
  -- The bank's calendar day of the latest of these reads.
  read_on date not null,
  -- Number of reads on that day.
  reads int not null,
  constraint unattended_reads_pkey primary key (partner_id, consent_id, kind, stable_id)
);
-- Counters of past days are deleted.
create index unattended_reads_retention on unattended_reads (read_on);

-- Exchange: deals at the provider, funds that arrived there, and the ledger of both.
-- FX providers: how far their inbound funds were read, and their rate limit.
create table fx_providers (
  name text not null,
  -- Provider time: all funds that arrived before then are recorded.
  funds_polled_to timestamptz,
  -- Wall time of the next read of inbound funds.
  poll_at timestamptz not null,
  -- Business time at which the last read ended.
  polled_at timestamptz,
  lease_until timestamptz,
  -- Wall time at which all reserved calls for cancelling deals have been made.
  unwind_permits_until timestamptz not null,
  constraint fx_providers_pkey primary key (name)
);

create table fx_deals (
  partner_id uuid not null,
  id uuid not null,
  provider text not null,
  quote_id uuid not null,
  -- Null for a booking by inbound funds.
  payment_id uuid,
  reference_code text not null,
  funding_country text not null,
  funding_date date not null,
  provider_quote_id text not null,
  fixed_side text not null,
  conversion_date date,
  cost_currency text not null,
  cost_minor bigint not null,
  sell_minor bigint not null,
  buy_currency text not null,
  buy_minor bigint not null,
  -- Business time until which it must have been signed.
  deadline timestamptz not null,
  -- Beneficiary and reference of the payout.
  terms_sealed bytea not null,
  state text not null,
  reason text,
  -- Incremented with every change of state.
  version int not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  signed_at timestamptz,
  conversion_id text,
  beneficiary_id text,
  payout_id text,
  -- Business time until which a requested payout may still be made, whatever the provider returns for a later request.
  outcome_unknown_until timestamptz,
  returned_minor bigint,
  -- Why it is to be cancelled as soon as it is known to be booked.
  cancel_reason text,
  failing_since timestamptz,
  attempts int not null default 0,
  -- Business times of the next step at the provider, of the cancellation there, and of updating its payment. Null when
  -- there is none.
  due_at timestamptz,
  unwind_at timestamptz,
  notify_at timestamptz,
  lease_until timestamptz,
  constraint fx_deals_pkey primary key (partner_id, id),
  constraint fx_deals_fixed_side_check check (fixed_side in ('buy', 'sell')),
  constraint fx_deals_state_check
   
    check (state in ('booking', 'failed', 'booked', 'confirmed', 'funded', 'paying', 'paid', 'returned', 'refunded', 'cancelling', 'cancelled'))
) with (fillfactor = 80);
-- A quote is booked once.
create unique index fx_deals_quote on fx_deals (partner_id, quote_id);
create index fx_deals_payment on fx_deals (partner_id, payment_id) where payment_id is not null;
-- For due-row scans of all partners: begins with the provider and the due time.
create index fx_deals_due on fx_deals (provider, due_at) where due_at is not null;
create index fx_deals_break_due on fx_deals (provider, unwind_at) where unwind_at is not null;
create index fx_deals_tell_due on fx_deals (provider, notify_at) where notify_at is not null;
-- Operators and metrics need those that are not closed.
create index fx_deals_open on fx_deals (state, changed_at) where state not in ('failed', 'cancelled', 'paid', 'refunded');
-- Providers send our id only.
create index fx_deals_noticed on fx_deals (id);

-- The history of each deal.
create table fx_deal_history (
  partner_id uuid not null,
  id uuid not null,
  deal_id uuid not null,
  at timestamptz not null,
  event text not null,
  detail jsonb not null,
  constraint fx_deal_history_pkey primary key (partner_id, id)
);
create index fx_deal_history_deal on fx_deal_history (partner_id, deal_id, id);

-- Inbound funds at a provider. Funds without the reference of a quote have the zero UUID as their partner.
create table fx_inbound_funds (
  partner_id uuid not null,
  id uuid not null,
  provider text not null,
  provider_funds_id text not null,
  currency text not null,
  minor bigint not null,
  -- The payer's reference.
  reference text,
  received_at timestamptz not null,
  quote_id uuid,
  deal_id uuid,
  -- arrived: not allocated yet. held: waits for an operator. used: it funds its deal. returning: its return was
  -- requested. returned: it was returned.
  state text not null,
  -- Why it is held or returned.
  reason text,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  -- Our id of the return at the provider, a new one for each attempt by an operator; and the payout that returns it.
  return_id uuid,
  payout_id text,
  failing_since timestamptz,
  attempts int not null default 0,
  -- Business time of the next step; null when there is none.
  due_at timestamptz,
  lease_until timestamptz,
  constraint fx_inbound_funds_pkey primary key (partner_id, id),
  constraint fx_inbound_funds_state_check check (state in ('arrived', 'held', 'used', 'returning', 'returned'))
);
-- Across partners: the quote tells whose funds they are, and may be deleted when the provider reports them again.
create unique index fx_inbound_funds_once on fx_inbound_funds (provider, provider_funds_id);
create index fx_inbound_funds_deal on fx_inbound_funds (partner_id, deal_id) where deal_id is not null;
create index fx_inbound_funds_due on fx_inbound_funds (provider, due_at) where due_at is not null;
create index fx_inbound_funds_open on fx_inbound_funds (state, changed_at) where state not in ('used', 'returned');
create index fx_inbound_funds_noticed on fx_inbound_funds (return_id) where return_id is not null;

-- The ledger: append-only. The lines of one entry sum up to zero in each currency.
create table fx_ledger_lines (
  partner_id uuid not null,
  -- The deal or the inbound funds of the account.
  subject_id uuid not null,
  event text not null,
  account text not null,
  currency text not null,
  -- Debits are positive.
  minor bigint not null,
  entry_id uuid not null,
  at timestamptz not null,
  constraint fx_ledger_lines_pkey primary key (partner_id, subject_id, event, account, currency),
  constraint fx_ledger_lines_minor_check check (minor <> 0)
);
create index fx_ledger_lines_entry on fx_ledger_lines (partner_id, entry_id);

-- Quotes of exchange, and the reference rates that amounts are compared by.
create table fx_quotes (
  partner_id uuid not null,
  id uuid not null,
  -- The company that pays.
  country_code text not null,
  organisation_number text not null,
  end_to_end_id text not null,
  provider text not null,
  provider_quote_id text not null,
  fixed_side text not null,
  conversion_date date,
  -- What the payer pays; at the provider, sell_minor of it is sold.
  cost_currency text not null,
  cost_minor bigint not null,
  sell_minor bigint not null,
  buy_currency text not null,
  buy_minor bigint not null,
  -- Over the reference rate; null where there is none.
  markup_percent text,
  funding_country text not null,
  funding_date date not null,
  reference_code text not null,
  -- Where the money is paid to.
  intermediary jsonb not null,
  -- Beneficiary and reference of the payout.
  terms_sealed bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Null once it is booked: then it is never deleted.
  purge_at timestamptz,
  constraint fx_quotes_pkey primary key (partner_id, id),
  constraint fx_quotes_fixed_side_check check (fixed_side in ('buy', 'sell'))
);
create unique index fx_quotes_reference on fx_quotes (partner_id, reference_code);
-- Providers report funds by the reference only.
create index fx_quotes_referred on fx_quotes (reference_code);
create index fx_quotes_retention on fx_quotes (purge_at) where purge_at is not null;

-- Daily reference rates that were fetched from the European Central Bank. Shared by all partners.
create table fx_reference_rates (
  day date not null,
  -- Units of each currency for one euro, as texts.
  per_euro jsonb not null,
  fetched_at timestamptz not null,
  constraint fx_reference_rates_pkey primary key (day)
);

-- Time of the next fetch; wall time.
create table fx_reference_fetches (
  source text not null,
  due_at timestamptz not null,
  constraint fx_reference_fetches_pkey primary key (source)
);

-- Rate limits of FX providers, which count all our processes as one. Shared by all partners.
create table fx_call_rate_limits (
  -- The provider, a slash, and the limit.
  name text not null,
  -- When the next call is due if they came evenly: milliseconds since 1970, wall time.
  due_milliseconds float8 not null,
  constraint fx_call_rate_limits_pkey primary key (name)
);

-- Payrolls: the encrypted order, the transactions with their status at the bank, and their orders.
create table payrolls (
  partner_id uuid not null,
  id uuid not null,
  -- The bulk of the payroll; null for a single payroll.
  bulk_id uuid,
  consent_id uuid not null,
  bic text not null,
  country_code text not null,
  organisation_number text not null,
  debtor_bban text not null,
  currency text not null,
  due_date date not null,
  -- Submission mode: one bulk order, single orders signed in baskets or one after the other, or a file.
  submission_mode text not null,
  transaction_count int not null,
  -- Payer and total.
  terms_sealed bytea not null,
  -- submitting: some orders are not submitted yet. submitted: all are. failing: the bank rejected one, and those that
  -- it has accepted are being cancelled. failed: no order is left that can be cancelled.
  state text not null,
  state_text text,
  -- Aggregated from its transactions and orders.
  status text not null,
  created_at timestamptz not null,
  -- When the status of a transaction changed last.
  changed_at timestamptz not null,
  -- Business time of the next run: at the end of the due date while orders are submitted, then to cancel orders; null
  -- when nothing is left to do.
  next_run_at timestamptz,
  -- Business time of the next attempt to submit the rest; null when nothing is left to submit, or when only another user
  -- may, whose request for the approval sets it.
  submit_at timestamptz,
  -- The consent under which orders are submitted: that of the order, or of a later request that found the submission
  -- stopped for lack of one.
  submission_consent_id uuid not null,
  -- The submission has stopped because its consent has ended, or because the bank does not let its user pay.
  submission_needs_user boolean not null default false,
  -- Business time since which no order could be submitted.
  submission_failed_since timestamptz,
  lease_until timestamptz,
  -- For payrolls with one order per transaction: a digest of all transactions, by which an equal payroll is detected,
  -- and the payroll that blocks it. Null where the one order is the duplicate check.
  content_digest text,
  -- The payroll whose equal transaction has an unknown outcome.
  blocked_by_payroll_id uuid,
  constraint payrolls_pkey primary key (partner_id, id),
  constraint payrolls_state_check check (state in ('submitting', 'submitted', 'failing', 'failed')),
  constraint payrolls_submission_mode_check check (submission_mode in ('bulk', 'baskets', 'chain', 'file'))
);
create index payrolls_created on payrolls (partner_id, created_at, id);
create index payrolls_changed on payrolls (partner_id, changed_at, id);
create index payrolls_company on payrolls (partner_id, organisation_number, created_at, id);
create index payrolls_bulk on payrolls (partner_id, bulk_id) where bulk_id is not null;
create index payrolls_due on payrolls (bic, next_run_at) where next_run_at is not null;
create index payrolls_submission_due on payrolls (bic, submit_at) where submit_at is not null;
create index payrolls_content_digest on payrolls (partner_id, content_digest, created_at) where content_digest is not null;

-- The transactions as ordered, some hundred in a chunk, so that reading one decrypts its chunk only.
create table payroll_transaction_chunks (
  partner_id uuid not null,
  payroll_id uuid not null,
  number int not null,
  content_sealed bytea not null,
  constraint payroll_transaction_chunks_pkey primary key (partner_id, payroll_id, number)
);

create table payroll_transactions (
  partner_id uuid not null,
  payroll_id uuid not null,
  position int not null,
  end_to_end_id text not null,
  -- Its order, set just before that is submitted.
  payment_id uuid,
  -- The bank's own id of it within the order.
  bank_transaction_id text,
  -- Its own status at the bank; null while it has the status of the order.
  status text,
  status_reason text,
  status_reason_text text,
  bank_status text,
  status_at timestamptz,
  constraint payroll_transactions_pkey primary key (partner_id, payroll_id, "position")
);
create index payroll_transactions_payment on payroll_transactions (partner_id, payment_id)
  where payment_id is not null;
create index payroll_transactions_own_status on payroll_transactions (partner_id, payment_id) where status is not null;
create index payroll_transactions_end_to_end on payroll_transactions (partner_id, end_to_end_id);

create table payment_files (
  partner_id uuid not null,
  -- The payment of the order in the file.
  id uuid not null,
  bic text not null,
  -- The ids by which bank reports refer to it.
  message_id text not null,
  -- waiting: not uploaded. prepared: uploaded completely to where the bank does not read, to be moved in one step.
  -- sent: moved. cancelled: its due day was over before it could be sent.
  state text not null,
  -- The attempt that has prepared it; no other one may send it.
  attempt uuid,
  created_at timestamptz not null,
  -- Bank time of the newest report that was read; older reports may arrive later.
  reported_at timestamptz,
  -- Business time of the next attempt, or of the next check for a report; null when nothing is left to do.
  due_at timestamptz,
  lease_until timestamptz,
  constraint payment_files_pkey primary key (partner_id, id),
  constraint payment_files_state_check check (state in ('waiting', 'prepared', 'sent', 'withdrawn'))
);
create index payment_files_due on payment_files (bic, due_at) where due_at is not null;
-- Reports contain neither partner nor payment.
create index payment_files_message on payment_files (bic, message_id);

-- Next read of a bank's outbox, wall time, and the lease of the process that reads it.
create table bank_file_polls (
  bic text not null,
  next_poll_at timestamptz not null,
  constraint bank_file_polls_pkey primary key (bic)
);

-- Files in a bank's outbox that are not for us: not read again until they change.
create table bank_files_skipped (
  bic text not null,
  name text not null,
  version text not null,
  skipped_at timestamptz not null,
  constraint bank_files_skipped_pkey primary key (bic, name)
);

-- Reports that were processed, by content: the same report, also under another name, is ignored.
create table bank_reports_processed (
  bic text not null,
  digest text not null,
  processed_at timestamptz not null,
  constraint bank_reports_processed_pkey primary key (bic, digest)
);

-- Cancellations of payrolls; each order has a cancellation of its own.
create table payroll_cancellations (
  partner_id uuid not null,
  id uuid not null,
  payroll_id uuid not null,
  consent_id uuid not null,
  -- The result without a call to a bank; null where the bank's answers decide.
  decision text,
  reason text,
  created_at timestamptz not null,
  constraint payroll_cancellations_pkey primary key (partner_id, id),
  constraint payroll_cancellations_decision_check check (decision in ('ACCEPTED', 'REJECTED'))
);
create index payroll_cancellations_payroll on payroll_cancellations (partner_id, payroll_id);

-- Bulks of payrolls: recorded before any bank is called, so that a bulk that is not accepted completely is cancelled
-- completely.
create table payroll_bulks (
  partner_id uuid not null,
  id uuid not null,
  bic text not null,
  -- submitting: the request is in progress. submitted: an approval of all payrolls is stored. failing: its orders are being
  -- cancelled. failed: nothing is left to cancel.
  state text not null,
  created_at timestamptz not null,
  -- The Idempotency-Key, which stays in use as long as an order of it may be executed.
  idempotency_operation text,
  idempotency_key text,
  -- Business time of the next run for a bulk whose request may have died, or that has orders left; null when there is
  -- none.
  next_run_at timestamptz,
  lease_until timestamptz,
  constraint payroll_bulks_pkey primary key (partner_id, id),
  constraint payroll_bulks_state_check check (state in ('submitting', 'submitted', 'failing', 'failed'))
);
create index payroll_bulks_due on payroll_bulks (bic, next_run_at) where next_run_at is not null;


insert into business_clock (offset_milliseconds) values (0);
insert into business_clock_move_lock default values;
insert into fx_reference_fetches (source, due_at) values ('ecb', '2020-01-01');
