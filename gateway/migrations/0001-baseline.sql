-- The tables of the gateway. A partner's tables begin every key with `partner_id`, so that they can be spread by
-- it (Citus); sweeps have indexes of their own, led by the time. Times are parameters of statements, never
-- `now()`.

-- Banks of the directory, and how each has answered of late. Shared by all partners.
create table banks (
  bic text not null,
  name text not null,
  country_code text not null,
  connector text not null,
  profile text not null,
  -- Where the bank's interface begins, in front of /v1.
  address text not null,
  -- host:port of every place that the bank's links may lead to.
  link_hosts text[] not null,
  enabled boolean not null default true,
  -- Consecutive calls that failed, since when, and until when the bank is left alone; wall time.
  failures int not null default 0,
  failing_since timestamptz,
  paused_until timestamptz,
  -- How a bank answers initiations, apart from all other calls: one that takes no orders is still asked about
  -- those it holds.
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

-- What needs a person, and what people and programs did.
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
  -- Closing unknown money takes two people: the first proposes a resolution, the second confirms it.
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
  -- Origins that callback addresses may have in production, e.g. https://erp.example.
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
  -- Whether a client may order payrolls.
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
  -- A retired key signs nothing new; its tokens stay good until they expire.
  retired_at timestamptz,
  disabled_at timestamptz,
  constraint token_keys_pkey primary key (kid)
);

-- What was answered under an Idempotency-Key, so that repeating a request is safe.
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
);
create index idempotency_retention on idempotency (started_at);

-- Companies that a partner has brought in; another partner's companies are no concern of it.
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
  -- Business time at which its state must be looked at again: the end of validity.
  due_at timestamptz,
  -- Business time of the next attempt to end it at the bank; null when there is nothing to end.
  revoke_at timestamptz,
  revoke_attempts int not null default 0,
  lease_until timestamptz,
  -- Business time at which the bank is asked next whether a consent in force is in force there too.
  refresh_at timestamptz,
  -- Business time of the next attempt to let the tokens of an ended consent go; null when there are none.
  token_release_at timestamptz,
  -- How often that was tried in vain.
  token_release_attempts int not null default 0,
  -- Files of orders: agreements that stand in for consents, each file on its way to its bank, and what of a bank's
  -- was read. Entered by an operator: the bank has a contract on paper, and nobody is asked.
  agreement boolean not null default false,
  constraint consents_pkey primary key (partner_id, id)
);
create index consents_company on consents (partner_id, organisation_number);
-- Banks count consents per third party, which we are for all partners together.
create index consents_at_bank on consents (bic, organisation_number) where status = 'ACCEPTED';
-- Sweeps: led by the due time, they cross partners.
create index consents_due on consents (bic, due_at) where due_at is not null;
create index consents_revoke on consents (bic, revoke_at) where revoke_at is not null;
create index consents_refresh on consents (bic, refresh_at) where refresh_at is not null;
create index consents_token_release on consents (bic, token_release_at) where token_release_at is not null;
-- Those that end soon are counted and listed for operators.
create index consents_expiring on consents (valid_until) where status = 'ACCEPTED';
-- Whoever ends tokens first asks whether another consent of the same user at the same bank still needs them.
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

-- A user's way through a bank: a link, the authorisations behind it, and what was signed.
create table sca_sessions (
  partner_id uuid not null,
  id uuid not null,
  kind text not null,
  subject_id uuid not null,
  consent_id uuid,
  bic text,
  callback_url text not null,
  link_hash text not null,
  -- The link itself, sealed, for the partner that reads it again while nobody has used it.
  link_sealed bytea,
  -- The browser that used the link up; nobody else's may go on with it.
  browser_hash text,
  status text not null,
  -- Claimed by whoever decides first; the room is told of this one and no other.
  outcome text,
  created_at timestamptz not null,
  left_at timestamptz,
  -- When the authorisation at hand ends; each of a chain has `step_seconds` of its own.
  expires_at timestamptz not null,
  step_seconds int not null,
  ended_at timestamptz,
  read_at timestamptz,
  -- Business time at which the bank is asked again, or the signing closed.
  due_at timestamptz,
  lease_until timestamptz,
  -- Who shows the user what to do: we, on a page, or the partner, who is given a code to show.
  shown_by text not null default 'page',
  -- How the user would like to sign; null leaves it to the bank.
  preferred text,
  -- Wall time from which the browser's way is trusted: the browser that left came back, or its user said so
  -- elsewhere.
  trusted_at timestamptz,
  trusted_by text,
  -- The browser that came back in place of the one that left, and may say whose it is.
  confirm_hash text,
  -- Wall time at which a hint of the bank last had it asked.
  bank_notified_at timestamptz,
  -- The provider's name in the settings; null where a bank is signed at.
  identity_provider text,
  -- Where it is signed, by which sweeps share their places.
  place text not null generated always as (coalesce(bic, identity_provider)) stored,
  constraint sca_sessions_pkey primary key (partner_id, id),
  constraint sca_sessions_one_provider check ((bic is null) <> (identity_provider is null)),
  constraint sca_sessions_preferred_check check (preferred in ('redirect', 'qr')),
  constraint sca_sessions_shown_by_check check (shown_by in ('page', 'partner')),
  constraint sca_sessions_trusted_by_check check (trusted_by in ('return', 'confirmation')),
  constraint sca_sessions_consent_at_bank check ((bic is null) = (consent_id is null))
);
create index sca_sessions_subject on sca_sessions (partner_id, kind, subject_id);
create index sca_sessions_due on sca_sessions (place, due_at) where due_at is not null;

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
  -- Wall time at which the bank was last asked because the browser had come back.
  returned_at timestamptz,
  ended_at timestamptz,
  -- Null while it is not begun. The bank's address is in redirect_sealed, what the bank says to do in text_sealed.
  way text,
  text_sealed bytea,
  -- A code that stays the same for as long as it can be scanned.
  code_sealed bytea,
  -- What the connector needs when the browser comes back from the bank.
  return_secret_sealed bytea,
  -- What the browser brought back last; the same is handed to the bank once only.
  callback_hash text,
  -- Wall time until when somebody is handing it over; null once the bank has answered.
  callback_lease_until timestamptz,
  -- Wall time until when somebody is having its authorisation begun at the bank; nobody else begins one meanwhile.
  start_lease_until timestamptz,
  -- How often the bank was asked for another order, because nobody scanned the code of the one before.
  renewals int not null default 0,
  -- The language in which it was shown.
  language text,
  -- Signing payrolls: what a user was shown of one is sealed, as are the salaries that it comes to.
  shown_sealed bytea,
  constraint sca_steps_pkey primary key (partner_id, sca_session_id, "position"),
  constraint sca_steps_way_check check (way in ('redirect', 'app', 'code', 'none'))
);
create index sca_steps_target on sca_steps (partner_id, target_id);

-- Payments: what was asked, what the bank says, and when it is asked again.
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
  -- The order exactly as it was asked, in JSON.
  ordered text not null,
  -- asked: the bank was asked and nothing is known yet. unknown: nothing will come by itself. known: the bank
  -- holds it. void: it is certain that the bank never took it.
  outcome text not null,
  bank_request_id uuid not null,
  -- Under which key it was asked for, so that the key learns the outcome.
  idempotency_operation text,
  idempotency_key text,
  bank_payment_id text,
  status text not null,
  status_reason text,
  status_reason_text text,
  bank_status text,
  -- Whether every signature that we know to be needed was given.
  signed boolean not null default false,
  notification_token_hash text not null,
  bank_notified_at timestamptz,
  -- Business time: creation, last successful read at the bank, last change of status.
  created_at timestamptz not null,
  status_at timestamptz not null,
  changed_at timestamptz not null,
  -- Business time of the next read at the bank; null when nothing is to be expected.
  poll_at timestamptz,
  poll_step int not null default 0,
  -- Business time since which the bank could not be read; null when the last attempt went well.
  unread_since timestamptz,
  final_since timestamptz,
  -- Wall time after which an intent without an answer is taken up by recovery.
  recover_at timestamptz,
  lease_until timestamptz,
  -- Business time of the newest event.
  announced_at timestamptz,
  -- When the bank first said that it holds the order no more, which nobody had signed; null while it does.
  expired_at timestamptz,
  -- When the last signature that we know to be needed was given; null while one is missing.
  signed_at timestamptz,
  -- The entry on the debtor's account that showed that the money has moved.
  settled_by text,
  -- When the bank took the withdrawal of the order: it is never placed again, even if the bank does not show it
  -- any more.
  cancellation_accepted_at timestamptz,
  -- Null for payments without exchange.
  exchange text,
  quote_id uuid,
  -- Business time until which it must be signed.
  deadline_at timestamptz,
  -- Business time of the next look at that: the deadline, then whenever what was decided is to be carried out at
  -- the provider. Null when nothing is left to do.
  decide_at timestamptz,
  -- Orders of payrolls are rows of `payments` that no partner sees as payments; their type is Payroll.
  payroll_id uuid,
  constraint payments_exchange_check
   
    check (exchange in ('booking', 'unsigned', 'confirmed', 'funded', 'paid', 'returned', 'cancelled', 'rejected', 'uncancellable')),
  constraint payments_outcome_check check (outcome in ('in-flight', 'known', 'unknown', 'void'))
) with (fillfactor = 80);
create index payments_created on payments (partner_id, created_at, id);
create index payments_changed on payments (partner_id, changed_at, id);
-- While an outcome is open, an equal order is rejected.
create unique index payments_open_outcome on payments (partner_id, end_to_end_id, amount_minor, currency, creditor_bban)
  where outcome in ('in-flight', 'unknown');
-- One order at a bank is one payment here.
create unique index payments_at_bank on payments (partner_id, bic, bank_payment_id) where bank_payment_id is not null;
-- Sweeps: led by the due time, they cross partners.
create index payments_poll on payments (bic, poll_at) where poll_at is not null;
create index payments_recover on payments (bic, recover_at) where recover_at is not null;
-- One entry on an account settles one payment.
create unique index payments_settled_by on payments (partner_id, bic, debtor_bban, settled_by)
  where settled_by is not null;
-- Payments on an account that wait for an entry.
create index payments_awaiting_entry on payments (partner_id, bic, debtor_bban, due_date)
  where status = 'InProgress' and outcome = 'known';
-- Lists of one company, and of a status that few payments have: most are Completed, and found in the order of all.
create index payments_company on payments (partner_id, organisation_number, created_at, id);
create index payments_status on payments (partner_id, status, created_at, id) where status <> 'Completed';
-- A quote is booked once.
create unique index payments_quote on payments (partner_id, quote_id)
  where quote_id is not null and outcome <> 'void';
create index payments_decision_due on payments (bic, decide_at) where decide_at is not null;
create index payments_payroll on payments (partner_id, payroll_id) where payroll_id is not null;
-- Entries on an account are told apart from salaries: the orders of payrolls that are paid from it, by their day.
create index payments_payroll_account on payments (partner_id, bic, debtor_bban, due_date)
  where payroll_id is not null;
-- Which payments may entries on an account belong to: a page of entries is looked up by its amounts, in one query.
create index payments_debited on payments (bic, partner_id, debtor_bban, amount_minor, due_date);
-- Lists: each serves its filter and the order of its pages.
create index payments_end_to_end on payments (end_to_end_id, ((partner_id)::text), created_at, id);
-- Created last: of indexes that look alike PostgreSQL takes the youngest (docs/decisions/0085-plans-without-statistics.md).
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
  -- What was bound to the signature: the bank's id and a digest of amount and receiver.
  bank_payment_id text not null,
  order_digest text not null,
  result text not null,
  -- Whether somebody had signed a payment before this approval began: some banks tell how it ended by the payment
  -- alone.
  partly_signed boolean not null default false,
  -- With which basket a payment is signed; null for one that is signed alone.
  basket_id uuid,
  constraint approval_payments_pkey primary key (partner_id, approval_id, payment_id)
);
create index approval_payments_payment on approval_payments (partner_id, payment_id);

-- Whoever begins an approval holds its payments until it is kept, so that the bank is asked for one at a time.
create table approval_leases (
  partner_id uuid not null,
  payment_id uuid not null,
  approval_id uuid not null,
  -- Wall time after which a hold whose process died counts no more.
  lease_until timestamptz not null,
  constraint approval_leases_pkey primary key (partner_id, payment_id)
);

-- Events: what partners are told of, appended in the transaction that makes it true, and never changed.
create table events (
  partner_id uuid not null,
  -- Counts up without gaps for each partner, in the order of commits: whoever has read up to a position misses
  -- nothing.
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
-- Whoever replays events begins at a time.
create index events_occurred on events (partner_id, occurred_at, "position");

-- The newest position of each partner. Who takes the next one holds this row until it commits.
create table event_positions (
  partner_id uuid not null,
  position bigint not null,
  -- Up to where events are forgotten: whoever has read no further has missed some.
  deleted_up_to bigint not null default 0,
  constraint event_positions_pkey primary key (partner_id)
);

-- Orders that a bank let lapse and that were placed there again since, each under the id it had. They are looked
-- after for some days: one that comes back is a second order for the same payment.
create table expired_orders (
  partner_id uuid not null,
  payment_id uuid not null,
  bank_payment_id text not null,
  bank_request_id uuid not null,
  notification_token_hash text not null,
  expired_at timestamptz not null,
  id uuid not null,
  bic text not null,
  -- Business time of the next look at the bank; null when nothing is to be expected.
  poll_at timestamptz,
  lease_until timestamptz,
  -- What the payment returns to when the bank does not take the order again.
  previous_bank_notified_at timestamptz,
  previous_poll_at timestamptz,
  previous_poll_step int not null,
  previous_unread_since timestamptz,
  constraint expired_orders_pkey primary key (partner_id, payment_id, bank_payment_id)
);
create index expired_orders_poll on expired_orders (bic, poll_at) where poll_at is not null;

-- When the entries of an account were last read without its user: banks allow few such reads a day.
create table entry_reads (
  partner_id uuid not null,
  bic text not null,
  bban text not null,
  -- Business time.
  read_at timestamptz not null,
  -- Whether the bank refused the last reading that it answered; people were told then.
  refused boolean not null default false,
  constraint entry_reads_pkey primary key (partner_id, bic, bban)
);

-- Webhooks: whom to tell of which events, and every delivery on its way.
create table webhook_subscriptions (
  partner_id uuid not null,
  id uuid not null,
  enabled boolean not null,
  event_types text[] not null,
  -- The version of the endpoint that new deliveries go to.
  endpoint_version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint webhook_subscriptions_pkey primary key (partner_id, id)
);
create index webhook_subscriptions_retention on webhook_subscriptions (updated_at) where not enabled;

-- Where deliveries go and with which credentials. Never changed: a delivery keeps the version that it was queued
-- with.
create table webhook_endpoints (
  partner_id uuid not null,
  subscription_id uuid not null,
  version int not null,
  target_url text not null,
  -- Scheme, host and port; deliveries to one origin share its connections.
  origin text not null,
  signing_secret_sealed bytea,
  bearer_token_sealed bytea,
  -- Set when a version is replaced: every delivery that refers to it has an id below this one.
  referenced_below_id uuid,
  constraint webhook_endpoints_pkey primary key (partner_id, subscription_id, version)
);
create index webhook_endpoints_replaced on webhook_endpoints (partner_id, subscription_id, version)
  where referenced_below_id is not null;

-- One event for one subscription. Rows are written three times at most unless an endpoint fails: room for two in
-- the page.
create table webhook_deliveries (
  partner_id uuid not null,
  subscription_id uuid not null,
  id uuid not null,
  endpoint_version int not null,
  origin text not null,
  event_id uuid not null,
  event_type text not null,
  -- What the event is about; deliveries about the same are made one after the other. Null for tests.
  subject_id uuid,
  -- Exactly what is signed and sent.
  body text not null,
  status text not null,
  -- Each as the log shows it.
  attempts jsonb not null default '[]',
  attempts_made int not null default 0,
  -- Whether an attempt is wanted now; deliveries that wait for `due_at` are made ready then.
  ready boolean not null,
  -- Business time of the next attempt; null when there is none.
  due_at timestamptz,
  -- Wall time until which one worker has it.
  lease_until timestamptz,
  -- Business time.
  created_at timestamptz not null,
  -- The order in which deliveries were queued, whoever queued them: ids have the time and the order of one process
  -- only.
  sequence bigint generated always as identity,
  -- What a partner had queued once more: one at a time of each event, however many ask for it at once.
  retried_manually boolean not null default false,
  constraint webhook_deliveries_pkey primary key (partner_id, subscription_id, id)
) with (fillfactor = 70);
create index webhook_deliveries_due on webhook_deliveries (due_at) where due_at is not null and not ready;
create index webhook_deliveries_ready on webhook_deliveries (partner_id, origin, sequence) where ready;
-- Webhooks are kept for 30 days, and the log is read by status and type of event.
-- Each of the few types and statuses is one range of this index, in the order of ids.
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
  -- Business time at which it is looked after; null when nothing is to be done.
  due_at timestamptz,
  lease_until timestamptz,
  constraint approval_baskets_pkey primary key (partner_id, id),
  constraint approval_baskets_state_check check (state in ('in-flight', 'unknown', 'rejected', 'unsigned', 'signed', 'void'))
);
create index approval_baskets_approval on approval_baskets (partner_id, approval_id);
-- Sweeps: led by the bank and the due time, they cross partners.
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

-- Cancellations: the wish to withdraw one payment, kept before its bank is asked.
create table cancellations (
  partner_id uuid not null,
  id uuid not null,
  payment_id uuid not null,
  bic text not null,
  -- Evidence: whose user asked, and from where; null where the partner did not say.
  consent_id uuid not null,
  ip_address text,
  user_agent text,
  -- What is withdrawn, and whether it was signed then: a signature that came since is a newer wish.
  bank_payment_id text,
  was_signed boolean not null,
  -- The id of the request at the bank; the same one when it is asked again.
  bank_request_id uuid not null,
  status text not null,
  reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Wall time of the first asking, and after which the bank is asked again while its answer is not known.
  requested_at timestamptz not null,
  recover_at timestamptz,
  lease_until timestamptz,
  payroll_cancellation_id uuid,
  constraint cancellations_pkey primary key (partner_id, id)
);
-- A payment is being cancelled once at a time.
create unique index cancellations_open on cancellations (partner_id, payment_id)
  where status in ('ASKED', 'AUTHORIZATION_REQUIRED');
create index cancellations_recover on cancellations (bic, recover_at) where recover_at is not null;
create index cancellations_of_payroll on cancellations (partner_id, payroll_cancellation_id)
  where payroll_cancellation_id is not null;

-- What opens a user's data at banks with an authorisation server (OAuth 2.0): one row for each grant, since its
-- refresh token is used once.
create table bank_tokens (
  partner_id uuid not null,
  id uuid not null,
  -- Both tokens and the server that gave them, sealed together.
  tokens_sealed bytea not null,
  -- Wall time at which the access token ends.
  expires_at timestamptz not null,
  -- While one process has them renewed, no other one does: banks end what is renewed twice.
  lease_until timestamptz,
  constraint bank_tokens_pkey primary key (partner_id, id)
);

-- What a grant opens: a consent, a payment, or all payments of a basket.
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

-- Onboardings: a company's way from the partner's link to being served, and what its people write and sign on it.
create table onboardings (
  partner_id uuid not null,
  id uuid not null,
  country_code text not null,
  organisation_number text not null,
  -- As the registry writes it; null until the link is opened.
  organisation_name text,
  status text not null,
  status_reason text,
  redirect_url text,
  link_hash text not null,
  -- Counts what its people save, so that two tabs do not overwrite each other.
  revision int not null default 0,
  -- What the registry said and what its people wrote, sealed together.
  answers_sealed bytea,
  -- When the summary was confirmed, and the SHA-256 of what is signed from then on.
  submitted_at timestamptz,
  document_hash text,
  -- Which tasks are done; kept in the open, so that nothing is unsealed to tell it.
  tasks_done text[] not null default '{}'::text[],
  -- Which documents an operator asked for, in the operator's words; kept until they are handed in.
  documents_asked_sealed bytea,
  documents_asked_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz,
  -- Business time at which it expires, or is decided because the last signature is there.
  due_at timestamptz,
  -- Business time at which what people wrote is forgotten of an onboarding that came to nothing.
  purge_at timestamptz,
  lease_until timestamptz,
  constraint onboardings_pkey primary key (partner_id, id)
);
create index onboardings_company on onboardings (partner_id, country_code, organisation_number);
-- Sweeps: led by the country and the due time, they cross partners.
create index onboardings_due on onboardings (country_code, due_at) where due_at is not null;
create index onboardings_retention on onboardings (country_code, purge_at) where purge_at is not null;

-- Who signs for the company, and by which link; a link that was given away leads to nothing but its signer's own
-- part.
create table onboarding_signers (
  partner_id uuid not null,
  id uuid not null,
  onboarding_id uuid not null,
  position int not null,
  -- Name, birth date and roles, as the registry or the company's people name the signer.
  named_sealed bytea not null,
  status text not null,
  link_hash text,
  link_revoked_at timestamptz,
  -- Who identified, and the identity provider's signed word on what was signed.
  identified_sealed bytea,
  evidence_sealed bytea,
  created_at timestamptz not null,
  signed_at timestamptz,
  constraint onboarding_signers_pkey primary key (partner_id, id),
  constraint onboarding_signers_partner_id_onboarding_id_fkey foreign key (partner_id, onboarding_id)
    references onboardings(partner_id, id)
);
create index onboarding_signers_onboarding on onboarding_signers (partner_id, onboarding_id);

-- One browser that came by one link.
create table onboarding_sessions (
  partner_id uuid not null,
  id uuid not null,
  onboarding_id uuid not null,
  -- Whose link it came by; null for the one that the partner was given.
  signer_id uuid,
  token_hash text not null,
  -- From when on it sees what people wrote of themselves.
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

-- Files that an operator asked for.
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

-- How the signature of a person ended at the provider: what a signing's step is read by.
create table onboarding_signatures (
  partner_id uuid not null,
  -- The authorisation of the step.
  id uuid not null,
  signer_id uuid not null,
  identity_provider text not null,
  state text not null,
  -- Why it was not taken.
  refusal text,
  -- Who signed and the provider's signed word, until the signer has both.
  proof_sealed bytea,
  ended_at timestamptz not null,
  constraint onboarding_signatures_pkey primary key (partner_id, id),
  constraint onboarding_signatures_partner_id_signer_id_fkey foreign key (partner_id, signer_id)
    references onboarding_signers(partner_id, id) on delete cascade,
  constraint onboarding_signatures_check check ((refusal is null) = (state = 'signed')),
  constraint onboarding_signatures_state_check check (state in ('signed', 'refused'))
);
create index onboarding_signatures_signer on onboarding_signatures (partner_id, signer_id, id);

-- Somebody identifies without signing: what their browser must come back with, one for each session, the latest.
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

-- Looking after consents: reads without the user are counted, the bank is asked once a day, and tokens are let go
-- at the end.
create table unattended_reads (
  partner_id uuid not null,
  consent_id uuid not null,
  -- What is read: the list of accounts, or the balance, the entries or an entry's details of one.
  kind text not null,
  -- The account; empty for the list.
  stable_id text not null,
  -- The bank's calendar day of the latest of these reads.
  read_on date not null,
  -- How many that day has seen.
  reads int not null,
  constraint unattended_reads_pkey primary key (partner_id, consent_id, kind, stable_id)
);
-- What was counted on days that are over is forgotten.
create index unattended_reads_retention on unattended_reads (read_on);

-- What waits for one origin on behalf of one partner is delivered by one worker at a time, which keeps its order.
create table webhook_queue_leases (
  partner_id uuid not null,
  origin text not null,
  worker uuid not null,
  -- By the database's clock; whoever is not heard of until then has lost it.
  lease_until timestamptz not null,
  constraint webhook_queue_leases_pkey primary key (partner_id, origin)
) with (fillfactor = 50);

-- The exchange itself: deals at the provider, money that arrived there, and the ledger of both.
-- Providers of exchange: how far what arrives at each has been read, and at which pace it is asked.
create table fx_providers (
  name text not null,
  -- By the provider's own time: what arrived before then has been taken.
  funds_polled_to timestamptz,
  -- Wall time of the next look at what has arrived.
  poll_at timestamptz not null,
  -- Business time at which the last look ended.
  polled_at timestamptz,
  lease_until timestamptz,
  -- Wall time at which all turns that were given to deals for being undone are over.
  unwind_permits_until timestamptz not null,
  constraint fx_providers_pkey primary key (name)
);

create table fx_deals (
  partner_id uuid not null,
  id uuid not null,
  provider text not null,
  quote_id uuid not null,
  -- Null when it was booked by money from outside.
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
  -- Whom the payout is for, and what it says.
  terms_sealed bytea not null,
  state text not null,
  reason text,
  -- Counts the changes of state.
  version int not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  signed_at timestamptz,
  conversion_id text,
  beneficiary_id text,
  payout_id text,
  -- Business time until which a payout that was asked for may still be made, whatever the provider says of a later
  -- request.
  outcome_unknown_until timestamptz,
  returned_minor bigint,
  -- Why it is to be cancelled as soon as it is known to be booked.
  unwanted text,
  failing_since timestamptz,
  attempts int not null default 0,
  -- Business times: of the next step at the provider, of undoing it there, and of telling its payment. Null when
  -- nothing is to be done.
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
-- Sweeps: led by the provider and the due time, they cross partners.
create index fx_deals_due on fx_deals (provider, due_at) where due_at is not null;
create index fx_deals_break_due on fx_deals (provider, unwind_at) where unwind_at is not null;
create index fx_deals_tell_due on fx_deals (provider, notify_at) where notify_at is not null;
-- Operators and measures look at those that are not closed.
create index fx_deals_open on fx_deals (state, changed_at) where state not in ('failed', 'cancelled', 'paid', 'refunded');
-- Providers tell of what changed by our id alone.
create index fx_deals_noticed on fx_deals (id);

-- What became of each deal, step by step.
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

-- Money that arrived at a provider. What names no quote of ours belongs to nobody: a partner of zeros.
create table fx_inbound_funds (
  partner_id uuid not null,
  id uuid not null,
  provider text not null,
  provider_funds_id text not null,
  currency text not null,
  minor bigint not null,
  -- What the payer wrote.
  reference text,
  received_at timestamptz not null,
  quote_id uuid,
  deal_id uuid,
  -- arrived: nobody has judged it yet. held: kept for its sender. used: it funds its deal. returning: the provider
  -- was asked to send it back. returned: it did.
  state text not null,
  -- Why it is held or sent back.
  reason text,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  -- Under which id of ours the provider was asked to send it back, anew each time that people try again; by which
  -- payout.
  return_id uuid,
  payout_id text,
  failing_since timestamptz,
  attempts int not null default 0,
  -- Business time of the next step; null when nothing is to be done.
  due_at timestamptz,
  lease_until timestamptz,
  constraint fx_inbound_funds_pkey primary key (partner_id, id),
  constraint fx_inbound_funds_state_check check (state in ('arrived', 'held', 'used', 'returning', 'returned'))
);
-- Crosses partners: whose it is shows by its quote, and that may be forgotten when the provider tells of it again.
create unique index fx_inbound_funds_once on fx_inbound_funds (provider, provider_funds_id);
create index fx_inbound_funds_deal on fx_inbound_funds (partner_id, deal_id) where deal_id is not null;
create index fx_inbound_funds_due on fx_inbound_funds (provider, due_at) where due_at is not null;
create index fx_inbound_funds_open on fx_inbound_funds (state, changed_at) where state not in ('used', 'returned');
create index fx_inbound_funds_noticed on fx_inbound_funds (return_id) where return_id is not null;

-- The ledger: lines are only ever added. Those of one entry sum up to zero in each currency.
create table fx_ledger_lines (
  partner_id uuid not null,
  -- The deal or the receipt whose account it is.
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
  -- What the payer pays; at the provider, sell_minor of it is sold for what is bought.
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
  -- Whom the payout is for, and what it says.
  terms_sealed bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Null once it is booked: then it is kept for ever.
  purge_at timestamptz,
  constraint fx_quotes_pkey primary key (partner_id, id),
  constraint fx_quotes_fixed_side_check check (fixed_side in ('buy', 'sell'))
);
create unique index fx_quotes_reference on fx_quotes (partner_id, reference_code);
-- Providers tell of money by the reference alone.
create index fx_quotes_referred on fx_quotes (reference_code);
create index fx_quotes_retention on fx_quotes (purge_at) where purge_at is not null;

-- Reference rates of the European Central Bank that were fetched, by day. Shared by all partners.
create table fx_reference_rates (
  day date not null,
  -- Units of each currency for one euro, as texts.
  per_euro jsonb not null,
  fetched_at timestamptz not null,
  constraint fx_reference_rates_pkey primary key (day)
);

-- When they are fetched next; wall time.
create table fx_reference_fetches (
  what text not null,
  due_at timestamptz not null,
  constraint fx_reference_fetches_pkey primary key (what)
);

-- Turns of calls to providers of exchange: their limits count all our processes as one. Shared by all partners.
create table fx_call_rate_limits (
  -- The provider, a slash, and the limit.
  name text not null,
  -- When the next call is due if they came evenly: milliseconds since 1970, wall time.
  due_milliseconds float8 not null,
  constraint fx_call_rate_limits_pkey primary key (name)
);

-- Payrolls: what was ordered, sealed; the payouts with what their bank says of each; and the orders that carry
-- them.
create table payrolls (
  partner_id uuid not null,
  id uuid not null,
  -- The bulk that it came in; null for one that came alone.
  bulk_id uuid,
  consent_id uuid not null,
  bic text not null,
  country_code text not null,
  organisation_number text not null,
  debtor_bban text not null,
  currency text not null,
  due_date date not null,
  -- As what the bank is told it: one order, single orders signed in baskets or one after the other, or a file.
  way text not null,
  transaction_count int not null,
  -- Who pays, and the sum.
  terms_sealed bytea not null,
  -- submitting: some orders are not submitted yet. submitted: all are. failing: the bank rejected one, and those that
  -- it has accepted are being cancelled. failed: no order is left that can be cancelled.
  state text not null,
  state_text text,
  -- That of the whole, as its payouts and orders make it.
  status text not null,
  created_at timestamptz not null,
  -- When the status of a payout changed last.
  changed_at timestamptz not null,
  -- Business time of the next run that submits or cancels orders; null when nothing is left to do.
  next_run_at timestamptz,
  lease_until timestamptz,
  -- Payrolls that are handed over one payout at a time: what each orders, and which other one keeps it from its
  -- bank. Stands for all payouts of a payroll, so that the same ordered again is noticed; null where its one order
  -- stands for them.
  content_digest text,
  -- The payroll of which an equal payout was handed to the bank with an outcome that is not known.
  blocked_by_payroll_id uuid,
  constraint payrolls_pkey primary key (partner_id, id),
  constraint payrolls_state_check check (state in ('submitting', 'submitted', 'failing', 'failed')),
  constraint payrolls_way_check check (way in ('bulk', 'baskets', 'chain', 'file'))
);
create index payrolls_created on payrolls (partner_id, created_at, id);
create index payrolls_changed on payrolls (partner_id, changed_at, id);
create index payrolls_company on payrolls (partner_id, organisation_number, created_at, id);
create index payrolls_bulk on payrolls (partner_id, bulk_id) where bulk_id is not null;
create index payrolls_due on payrolls (bic, next_run_at) where next_run_at is not null;
create index payrolls_content_digest on payrolls (partner_id, content_digest, created_at) where content_digest is not null;

-- The payouts as they were ordered, some hundred in a slice: whoever needs one of ten thousand opens its slice
-- alone.
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
  -- The order that carries it, once its bank is about to be asked to take that.
  payment_id uuid,
  -- The bank's own id of it within its order.
  bank_transaction_id text,
  -- What the bank says of it alone; null while what it says of the order holds for all.
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
  -- Of the payment whose order it holds.
  id uuid not null,
  bic text not null,
  -- What the bank's reports name it by.
  message_id text not null,
  -- waiting: the bank cannot have any of it. prepared: all of it lies where the bank does not look, and goes from
  -- there in one step. sent: it is the bank's. withdrawn: its day was over before it could be sent.
  state text not null,
  -- Which of several attempts has prepared it; no other may be handed over.
  attempt uuid,
  created_at timestamptz not null,
  -- By the bank's clock, of the newest report that was read; older ones may come after it.
  reported_at timestamptz,
  -- Business time of the next attempt, or of the look whether the bank has answered; null when nothing is left to
  -- do.
  due_at timestamptz,
  lease_until timestamptz,
  constraint payment_files_pkey primary key (partner_id, id),
  constraint payment_files_state_check check (state in ('waiting', 'prepared', 'sent', 'withdrawn'))
);
create index payment_files_due on payment_files (bic, due_at) where due_at is not null;
-- Reports name neither partner nor payment.
create index payment_files_message on payment_files (bic, message_id);

-- When what a bank has put out is looked at next, by wall time: one process looks at a time.
create table bank_file_polls (
  bic text not null,
  next_poll_at timestamptz not null,
  constraint bank_file_polls_pkey primary key (bic)
);

-- What a bank has put out that is none of ours: not read again until it changes.
create table bank_files_skipped (
  bic text not null,
  name text not null,
  version text not null,
  skipped_at timestamptz not null,
  constraint bank_files_skipped_pkey primary key (bic, name)
);

-- Reports that were taken, by what they say: one that comes again, or under another name, says nothing new.
create table bank_reports_processed (
  bic text not null,
  digest text not null,
  processed_at timestamptz not null,
  constraint bank_reports_processed_pkey primary key (bic, digest)
);

-- Cancelling payrolls: the wish to withdraw a whole, of whose orders each is a cancellation of its own.
create table payroll_cancellations (
  partner_id uuid not null,
  id uuid not null,
  payroll_id uuid not null,
  consent_id uuid not null,
  -- What was said without a bank being asked; null where its answers decide.
  decision text,
  reason text,
  created_at timestamptz not null,
  constraint payroll_cancellations_pkey primary key (partner_id, id),
  constraint payroll_cancellations_decision_check check (decision in ('ACCEPTED', 'REJECTED'))
);
create index payroll_cancellations_payroll on payroll_cancellations (partner_id, payroll_id);

-- Bulks of payrolls: kept before a bank is asked for any of it, so that one that is not taken as a whole is given
-- up as a whole.
create table payroll_bulks (
  partner_id uuid not null,
  id uuid not null,
  bic text not null,
  -- ordering: its request is under way. taken: an approval over all of it is kept. failing: what there is of it is
  -- being withdrawn. failed: nothing is left to withdraw.
  state text not null,
  created_at timestamptz not null,
  -- Under which key it was ordered, which stays taken while anything of it may be carried out.
  idempotency_operation text,
  idempotency_key text,
  -- Business time of the next look at one whose request may have died, or of which something is left; null when
  -- neither.
  next_run_at timestamptz,
  lease_until timestamptz,
  constraint payroll_bulks_pkey primary key (partner_id, id),
  constraint payroll_bulks_state_check check (state in ('ordering', 'taken', 'failing', 'failed'))
);
create index payroll_bulks_due on payroll_bulks (bic, next_run_at) where next_run_at is not null;


insert into business_clock (offset_milliseconds) values (0);
insert into business_clock_move_lock default values;
insert into fx_reference_fetches (what, due_at) values ('ecb', '2020-01-01');
