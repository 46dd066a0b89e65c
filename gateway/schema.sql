-- What gateway/migrations make together; written by `npm run schema`, not by hand.

create domain exchange_state as text constraint exchange_state_check CHECK ((VALUE = ANY (ARRAY['booking'::text, 'unsigned'::text, 'confirmed'::text, 'funded'::text, 'paid'::text, 'returned'::text, 'cancelled'::text, 'rejected'::text, 'uncancellable'::text])));

create domain submission_outcome as text constraint submission_outcome_check CHECK ((VALUE = ANY (ARRAY['in-flight'::text, 'known'::text, 'unknown'::text, 'void'::text])));

create table account_entry_counts (
  partner_id uuid not null,
  account_id text not null,
  booked_on date not null,
  entries integer not null,
  constraint account_entry_counts_pkey PRIMARY KEY (partner_id, account_id, booked_on)
);
CREATE INDEX account_entry_counts_retention ON account_entry_counts USING btree (booked_on);

create table approval_basket_payments (
  partner_id uuid not null,
  basket_id uuid not null,
  payment_id uuid not null,
  bank_payment_id text not null,
  constraint approval_basket_payments_pkey PRIMARY KEY (partner_id, basket_id, payment_id)
);
CREATE INDEX approval_basket_payments_payment ON approval_basket_payments USING btree (partner_id, payment_id);

create table approval_baskets (
  partner_id uuid not null,
  id uuid not null,
  bic text not null,
  consent_id uuid not null,
  approval_id uuid not null,
  bank_request_id uuid not null,
  bank_basket_id text,
  state text not null,
  created_at timestamp with time zone not null,
  due_at timestamp with time zone,
  lease_until timestamp with time zone,
  constraint approval_baskets_state_check CHECK ((state = ANY (ARRAY['in-flight'::text, 'unknown'::text, 'rejected'::text, 'unsigned'::text, 'signed'::text, 'void'::text]))),
  constraint approval_baskets_pkey PRIMARY KEY (partner_id, id)
);
CREATE INDEX approval_baskets_approval ON approval_baskets USING btree (partner_id, approval_id);
CREATE INDEX approval_baskets_due ON approval_baskets USING btree (bic, due_at) WHERE (due_at IS NOT NULL);

create table approval_leases (
  partner_id uuid not null,
  payment_id uuid not null,
  approval_id uuid not null,
  lease_until timestamp with time zone not null,
  constraint approval_leases_pkey PRIMARY KEY (partner_id, payment_id)
);

create table approval_payments (
  partner_id uuid not null,
  approval_id uuid not null,
  payment_id uuid not null,
  position integer not null,
  bank_payment_id text not null,
  order_digest text not null,
  result text not null,
  partly_signed boolean not null default false,
  basket_id uuid,
  constraint approval_payments_pkey PRIMARY KEY (partner_id, approval_id, payment_id)
);
CREATE INDEX approval_payments_payment ON approval_payments USING btree (partner_id, payment_id);

create table approvals (
  partner_id uuid not null,
  id uuid not null,
  consent_id uuid not null,
  status text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint approvals_pkey PRIMARY KEY (partner_id, id)
);
CREATE INDEX approvals_consent ON approvals USING btree (partner_id, consent_id, created_at, id);
CREATE INDEX approvals_created ON approvals USING btree (partner_id, created_at, id);
CREATE INDEX approvals_status ON approvals USING btree (partner_id, status, created_at, id);

create table audit_log (
  partner_id uuid not null,
  id uuid not null,
  at timestamp with time zone not null,
  actor text not null,
  action text not null,
  subject_type text not null,
  subject_id text not null,
  detail jsonb not null,
  constraint audit_log_pkey PRIMARY KEY (partner_id, id)
);
CREATE INDEX audit_log_subject ON audit_log USING btree (partner_id, subject_id, id);

create table bank_call_counts (
  bic text not null,
  hour timestamp with time zone not null,
  outcome text not null,
  bucket integer not null,
  calls integer not null,
  constraint bank_call_counts_pkey PRIMARY KEY (bic, hour, outcome, bucket)
);

create table bank_calls (
  partner_id uuid not null,
  payment_id uuid not null,
  id uuid not null,
  bic text not null,
  at timestamp with time zone not null,
  operation text not null,
  method text not null,
  path text not null,
  status integer,
  error text,
  milliseconds real not null,
  request_id text,
  bank_text text,
  constraint bank_calls_pkey PRIMARY KEY (partner_id, payment_id, id)
);
CREATE INDEX bank_calls_request ON bank_calls USING hash (request_id);
CREATE INDEX bank_calls_retention ON bank_calls USING btree (id);

create table bank_file_polls (
  bic text not null,
  next_poll_at timestamp with time zone not null,
  constraint bank_file_polls_pkey PRIMARY KEY (bic)
);

create table bank_files_skipped (
  bic text not null,
  name text not null,
  version text not null,
  skipped_at timestamp with time zone not null,
  constraint bank_files_skipped_pkey PRIMARY KEY (bic, name)
);

create table bank_reports_processed (
  bic text not null,
  digest text not null,
  processed_at timestamp with time zone not null,
  constraint bank_reports_processed_pkey PRIMARY KEY (bic, digest)
);

create table bank_token_subjects (
  partner_id uuid not null,
  subject_id uuid not null,
  token_id uuid not null,
  constraint bank_token_subjects_partner_id_token_id_fkey FOREIGN KEY (partner_id, token_id) REFERENCES bank_tokens(partner_id, id) ON DELETE CASCADE,
  constraint bank_token_subjects_pkey PRIMARY KEY (partner_id, subject_id)
);
CREATE INDEX bank_token_subjects_by_token ON bank_token_subjects USING btree (partner_id, token_id);

create table bank_tokens (
  partner_id uuid not null,
  id uuid not null,
  tokens_sealed bytea not null,
  expires_at timestamp with time zone not null,
  lease_until timestamp with time zone,
  constraint bank_tokens_pkey PRIMARY KEY (partner_id, id)
);

create table banks (
  bic text not null,
  name text not null,
  country_code text not null,
  connector text not null,
  profile text not null,
  address text not null,
  link_hosts text[] not null,
  enabled boolean not null default true,
  failures integer not null default 0,
  failing_since timestamp with time zone,
  paused_until timestamp with time zone,
  order_failures integer not null default 0,
  orders_failing_since timestamp with time zone,
  certificate text,
  constraint banks_pkey PRIMARY KEY (bic)
);

create table business_clock (
  only_row boolean not null default true,
  offset_milliseconds bigint not null,
  moving_to timestamp with time zone,
  constraint business_clock_only_row_check CHECK (only_row),
  constraint business_clock_pkey PRIMARY KEY (only_row)
);

create table business_clock_move_lock (
  only_row boolean not null default true,
  constraint business_clock_move_lock_only_row_check CHECK (only_row),
  constraint business_clock_move_lock_pkey PRIMARY KEY (only_row)
);

create table cancellations (
  partner_id uuid not null,
  id uuid not null,
  payment_id uuid not null,
  bic text not null,
  consent_id uuid not null,
  ip_address text,
  user_agent text,
  bank_payment_id text,
  was_signed boolean not null,
  bank_request_id uuid not null,
  status text not null,
  reason text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  requested_at timestamp with time zone not null,
  recover_at timestamp with time zone,
  lease_until timestamp with time zone,
  payroll_cancellation_id uuid,
  constraint cancellations_pkey PRIMARY KEY (partner_id, id)
);
CREATE INDEX cancellations_consent ON cancellations USING btree (partner_id, consent_id, created_at, id);
CREATE INDEX cancellations_created ON cancellations USING btree (partner_id, created_at, id);
CREATE INDEX cancellations_of_payroll ON cancellations USING btree (partner_id, payroll_cancellation_id) WHERE (payroll_cancellation_id IS NOT NULL);
CREATE UNIQUE INDEX cancellations_open ON cancellations USING btree (partner_id, payment_id) WHERE (status = ANY (ARRAY['REQUESTED'::text, 'AUTHORIZATION_REQUIRED'::text]));
CREATE INDEX cancellations_payment ON cancellations USING btree (partner_id, payment_id);
CREATE INDEX cancellations_recover ON cancellations USING btree (bic, recover_at) WHERE (recover_at IS NOT NULL);
CREATE INDEX cancellations_status ON cancellations USING btree (partner_id, status, created_at, id);

create table clients (
  client_id text not null,
  partner_id uuid not null,
  secret_hash text not null,
  created_at timestamp with time zone not null,
  disabled_at timestamp with time zone,
  payroll boolean not null default false,
  secret_number integer not null default 1,
  secret_rotated_at timestamp with time zone,
  former_secret_hash text,
  former_secret_ends_at timestamp with time zone,
  first_token_at timestamp with time zone,
  constraint clients_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partners(id),
  constraint clients_pkey PRIMARY KEY (client_id)
);
CREATE INDEX clients_partner ON clients USING btree (partner_id);

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
  created_at timestamp with time zone not null,
  constraint companies_pkey PRIMARY KEY (partner_id, id),
  constraint companies_number UNIQUE (partner_id, country_code, organisation_number)
);

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
  constraint consent_accounts_pkey PRIMARY KEY (partner_id, consent_id, id)
);

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
  valid_until timestamp with time zone not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  accepted_at timestamp with time zone,
  due_at timestamp with time zone,
  revoke_at timestamp with time zone,
  revoke_attempts integer not null default 0,
  lease_until timestamp with time zone,
  refresh_at timestamp with time zone,
  token_release_at timestamp with time zone,
  token_release_attempts integer not null default 0,
  agreement boolean not null default false,
  expiry_notified_at timestamp with time zone,
  excluded_accounts integer not null default 0,
  constraint consents_pkey PRIMARY KEY (partner_id, id)
);
CREATE INDEX consents_agreements ON consents USING btree (partner_id, id) WHERE agreement;
CREATE INDEX consents_at_bank ON consents USING btree (bic, organisation_number) WHERE (status = 'ACCEPTED'::text);
CREATE INDEX consents_awaiting ON consents USING btree (bic) WHERE (status = 'AUTHORIZATION_REQUIRED'::text);
CREATE INDEX consents_company ON consents USING btree (partner_id, organisation_number);
CREATE INDEX consents_created ON consents USING btree (partner_id, created_at, id);
CREATE INDEX consents_due ON consents USING btree (bic, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX consents_expiring ON consents USING btree (valid_until) WHERE (status = 'ACCEPTED'::text);
CREATE INDEX consents_expiring_of_partner ON consents USING btree (partner_id, valid_until, id) WHERE (status = 'ACCEPTED'::text);
CREATE INDEX consents_refresh ON consents USING btree (bic, refresh_at) WHERE (refresh_at IS NOT NULL);
CREATE INDEX consents_revoke ON consents USING btree (bic, revoke_at) WHERE (revoke_at IS NOT NULL);
CREATE INDEX consents_status ON consents USING btree (partner_id, status, created_at, id);
CREATE INDEX consents_token_release ON consents USING btree (bic, token_release_at) WHERE (token_release_at IS NOT NULL);

create table console_invitations (
  user_id uuid not null,
  token_hash text not null,
  created_at timestamp with time zone not null,
  constraint console_invitations_user_fkey FOREIGN KEY (user_id) REFERENCES console_users(id),
  constraint console_invitations_pkey PRIMARY KEY (user_id),
  constraint console_invitations_token UNIQUE (token_hash)
);

create table console_passkeys (
  credential_id text not null,
  user_id uuid not null,
  public_key text not null,
  signature_count bigint not null,
  transports text[] not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  constraint console_passkeys_user_fkey FOREIGN KEY (user_id) REFERENCES console_users(id),
  constraint console_passkeys_pkey PRIMARY KEY (credential_id)
);
CREATE INDEX console_passkeys_user ON console_passkeys USING btree (user_id);

create table console_sessions (
  id uuid not null,
  token_hash text not null,
  subject text not null,
  name text not null,
  partner_id uuid,
  roles text[] not null,
  user_agent text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  user_id uuid,
  passkey_id text,
  roles_read_at timestamp with time zone,
  constraint console_sessions_pkey PRIMARY KEY (id),
  constraint console_sessions_token UNIQUE (token_hash)
);
CREATE INDEX console_sessions_subject ON console_sessions USING btree (subject, created_at);

create table console_sign_ins (
  state_hash text not null,
  token_hash text not null,
  content_sealed bytea not null,
  created_at timestamp with time zone not null,
  constraint console_sign_ins_pkey PRIMARY KEY (state_hash)
);
CREATE INDEX console_sign_ins_created ON console_sign_ins USING btree (created_at);

create table console_users (
  id uuid not null,
  name text not null,
  partner_id uuid,
  roles text[] not null,
  created_at timestamp with time zone not null,
  disabled_at timestamp with time zone,
  constraint console_users_pkey PRIMARY KEY (id),
  constraint console_users_name UNIQUE (name)
);

create table digest_keys (
  name text not null,
  key_sealed bytea not null,
  created_at timestamp with time zone not null,
  constraint digest_keys_pkey PRIMARY KEY (name)
);

create table entry_reads (
  partner_id uuid not null,
  bic text not null,
  bban text not null,
  read_at timestamp with time zone not null,
  rejected boolean not null default false,
  constraint entry_reads_pkey PRIMARY KEY (partner_id, bic, bban)
);

create table event_positions (
  partner_id uuid not null,
  position bigint not null,
  deleted_up_to bigint not null default 0,
  constraint event_positions_pkey PRIMARY KEY (partner_id)
);

create table events (
  partner_id uuid not null,
  position bigint not null,
  id uuid not null,
  type text not null,
  version text not null,
  subject_id uuid not null,
  occurred_at timestamp with time zone not null,
  body text not null,
  stamp uuid,
  constraint events_pkey PRIMARY KEY (partner_id, "position")
);
CREATE UNIQUE INDEX events_id ON events USING btree (partner_id, id);
CREATE INDEX events_occurred ON events USING btree (partner_id, occurred_at, "position");
CREATE INDEX events_subject ON events USING btree (partner_id, subject_id, "position");

create table expired_orders (
  partner_id uuid not null,
  payment_id uuid not null,
  bank_payment_id text not null,
  bank_request_id uuid not null,
  notification_token_hash text not null,
  expired_at timestamp with time zone not null,
  id uuid not null,
  bic text not null,
  poll_at timestamp with time zone,
  lease_until timestamp with time zone,
  previous_bank_notified_at timestamp with time zone,
  previous_poll_at timestamp with time zone,
  previous_poll_step integer not null,
  previous_unread_since timestamp with time zone,
  constraint expired_orders_pkey PRIMARY KEY (partner_id, payment_id, bank_payment_id)
);
CREATE INDEX expired_orders_poll ON expired_orders USING btree (bic, poll_at) WHERE (poll_at IS NOT NULL);

create table failed_rows (
  partner_id uuid not null,
  id uuid not null,
  sweep text not null,
  row_id text not null,
  failures integer not null,
  error text not null,
  first_failed_at timestamp with time zone not null,
  last_failed_at timestamp with time zone not null,
  retry_at timestamp with time zone not null,
  succeeded_at timestamp with time zone,
  review_at timestamp with time zone,
  lease_until timestamp with time zone,
  constraint failed_rows_pkey PRIMARY KEY (partner_id, id)
);
CREATE INDEX failed_rows_due ON failed_rows USING btree (sweep, review_at) WHERE (review_at IS NOT NULL);
CREATE UNIQUE INDEX failed_rows_row ON failed_rows USING btree (partner_id, sweep, row_id);

create table fx_call_rate_limits (
  name text not null,
  due_milliseconds double precision not null,
  constraint fx_call_rate_limits_pkey PRIMARY KEY (name)
);

create table fx_deal_history (
  partner_id uuid not null,
  id uuid not null,
  deal_id uuid not null,
  at timestamp with time zone not null,
  event text not null,
  detail jsonb not null,
  constraint fx_deal_history_pkey PRIMARY KEY (partner_id, id)
);
CREATE INDEX fx_deal_history_deal ON fx_deal_history USING btree (partner_id, deal_id, id);

create table fx_deals (
  partner_id uuid not null,
  id uuid not null,
  provider text not null,
  quote_id uuid not null,
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
  deadline timestamp with time zone not null,
  terms_sealed bytea not null,
  state text not null,
  reason text,
  version integer not null,
  created_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  signed_at timestamp with time zone,
  conversion_id text,
  beneficiary_id text,
  payout_id text,
  outcome_unknown_until timestamp with time zone,
  returned_minor bigint,
  cancel_reason text,
  failing_since timestamp with time zone,
  attempts integer not null default 0,
  due_at timestamp with time zone,
  unwind_at timestamp with time zone,
  notify_at timestamp with time zone,
  lease_until timestamp with time zone,
  constraint fx_deals_fixed_side_check CHECK ((fixed_side = ANY (ARRAY['buy'::text, 'sell'::text]))),
  constraint fx_deals_state_check CHECK ((state = ANY (ARRAY['booking'::text, 'failed'::text, 'booked'::text, 'confirmed'::text, 'funded'::text, 'paying'::text, 'paid'::text, 'returned'::text, 'refunded'::text, 'cancelling'::text, 'cancelled'::text]))),
  constraint fx_deals_pkey PRIMARY KEY (partner_id, id)
);
CREATE INDEX fx_deals_booked ON fx_deals USING btree (partner_id, deadline) WHERE (state = 'booked'::text);
CREATE INDEX fx_deals_break_due ON fx_deals USING btree (provider, unwind_at) WHERE (unwind_at IS NOT NULL);
CREATE INDEX fx_deals_created ON fx_deals USING btree (partner_id, created_at, id);
CREATE INDEX fx_deals_due ON fx_deals USING btree (provider, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX fx_deals_noticed ON fx_deals USING btree (id);
CREATE INDEX fx_deals_open ON fx_deals USING btree (state, changed_at) WHERE (state <> ALL (ARRAY['failed'::text, 'cancelled'::text, 'paid'::text, 'refunded'::text]));
CREATE INDEX fx_deals_payment ON fx_deals USING btree (partner_id, payment_id) WHERE (payment_id IS NOT NULL);
CREATE UNIQUE INDEX fx_deals_quote ON fx_deals USING btree (partner_id, quote_id);
CREATE INDEX fx_deals_state ON fx_deals USING btree (partner_id, state, created_at, id);
CREATE INDEX fx_deals_tell_due ON fx_deals USING btree (provider, notify_at) WHERE (notify_at IS NOT NULL);

create table fx_inbound_funds (
  partner_id uuid not null,
  id uuid not null,
  provider text not null,
  provider_funds_id text not null,
  currency text not null,
  minor bigint not null,
  reference text,
  received_at timestamp with time zone not null,
  quote_id uuid,
  deal_id uuid,
  state text not null,
  reason text,
  created_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  return_id uuid,
  payout_id text,
  failing_since timestamp with time zone,
  attempts integer not null default 0,
  due_at timestamp with time zone,
  lease_until timestamp with time zone,
  constraint fx_inbound_funds_state_check CHECK ((state = ANY (ARRAY['arrived'::text, 'held'::text, 'used'::text, 'returning'::text, 'returned'::text]))),
  constraint fx_inbound_funds_pkey PRIMARY KEY (partner_id, id)
);
CREATE INDEX fx_inbound_funds_deal ON fx_inbound_funds USING btree (partner_id, deal_id) WHERE (deal_id IS NOT NULL);
CREATE INDEX fx_inbound_funds_due ON fx_inbound_funds USING btree (provider, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX fx_inbound_funds_noticed ON fx_inbound_funds USING btree (return_id) WHERE (return_id IS NOT NULL);
CREATE UNIQUE INDEX fx_inbound_funds_once ON fx_inbound_funds USING btree (provider, provider_funds_id);
CREATE INDEX fx_inbound_funds_open ON fx_inbound_funds USING btree (state, changed_at) WHERE (state <> ALL (ARRAY['used'::text, 'returned'::text]));

create table fx_ledger_lines (
  partner_id uuid not null,
  subject_id uuid not null,
  event text not null,
  account text not null,
  currency text not null,
  minor bigint not null,
  entry_id uuid not null,
  at timestamp with time zone not null,
  constraint fx_ledger_lines_minor_check CHECK ((minor <> 0)),
  constraint fx_ledger_lines_pkey PRIMARY KEY (partner_id, subject_id, event, account, currency)
);
CREATE INDEX fx_ledger_lines_entry ON fx_ledger_lines USING btree (partner_id, entry_id);

create table fx_providers (
  name text not null,
  funds_polled_to timestamp with time zone,
  poll_at timestamp with time zone not null,
  polled_at timestamp with time zone,
  lease_until timestamp with time zone,
  unwind_permits_until timestamp with time zone not null,
  constraint fx_providers_pkey PRIMARY KEY (name)
);

create table fx_quotes (
  partner_id uuid not null,
  id uuid not null,
  country_code text not null,
  organisation_number text not null,
  end_to_end_id text not null,
  provider text not null,
  provider_quote_id text not null,
  fixed_side text not null,
  conversion_date date,
  cost_currency text not null,
  cost_minor bigint not null,
  sell_minor bigint not null,
  buy_currency text not null,
  buy_minor bigint not null,
  markup_percent text,
  funding_country text not null,
  funding_date date not null,
  reference_code text not null,
  intermediary jsonb not null,
  terms_sealed bytea not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  purge_at timestamp with time zone,
  constraint fx_quotes_fixed_side_check CHECK ((fixed_side = ANY (ARRAY['buy'::text, 'sell'::text]))),
  constraint fx_quotes_pkey PRIMARY KEY (partner_id, id)
);
CREATE INDEX fx_quotes_company ON fx_quotes USING btree (partner_id, organisation_number);
CREATE UNIQUE INDEX fx_quotes_reference ON fx_quotes USING btree (partner_id, reference_code);
CREATE INDEX fx_quotes_referred ON fx_quotes USING btree (reference_code);
CREATE INDEX fx_quotes_retention ON fx_quotes USING btree (purge_at) WHERE (purge_at IS NOT NULL);

create table fx_reference_fetches (
  source text not null,
  due_at timestamp with time zone not null,
  constraint fx_reference_fetches_pkey PRIMARY KEY (source)
);

create table fx_reference_rates (
  day date not null,
  per_euro jsonb not null,
  fetched_at timestamp with time zone not null,
  constraint fx_reference_rates_pkey PRIMARY KEY (day)
);

create table idempotency (
  partner_id uuid not null,
  operation text not null,
  key text not null,
  fingerprint text not null,
  subject_id uuid,
  outcome_unknown boolean not null default false,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  status integer,
  answer bytea,
  constraint idempotency_pkey PRIMARY KEY (partner_id, operation, key)
);
CREATE INDEX idempotency_retention ON idempotency USING btree (started_at);

create table onboarding_documents (
  partner_id uuid not null,
  id uuid not null,
  onboarding_id uuid not null,
  name_sealed bytea not null,
  media_type text not null,
  bytes integer not null,
  content_sealed bytea not null,
  uploaded_at timestamp with time zone not null,
  constraint onboarding_documents_partner_id_onboarding_id_fkey FOREIGN KEY (partner_id, onboarding_id) REFERENCES onboardings(partner_id, id),
  constraint onboarding_documents_pkey PRIMARY KEY (partner_id, id)
);
CREATE INDEX onboarding_documents_onboarding ON onboarding_documents USING btree (partner_id, onboarding_id);

create table onboarding_identifications (
  partner_id uuid not null,
  session_id uuid not null,
  identity_provider text not null,
  secret_sealed bytea not null,
  started_at timestamp with time zone not null,
  constraint onboarding_identifications_partner_id_session_id_fkey FOREIGN KEY (partner_id, session_id) REFERENCES onboarding_sessions(partner_id, id) ON DELETE CASCADE,
  constraint onboarding_identifications_pkey PRIMARY KEY (partner_id, session_id)
);

create table onboarding_sessions (
  partner_id uuid not null,
  id uuid not null,
  onboarding_id uuid not null,
  signer_id uuid,
  token_hash text not null,
  trusted_at timestamp with time zone,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  identified_at timestamp with time zone,
  constraint onboarding_sessions_partner_id_onboarding_id_fkey FOREIGN KEY (partner_id, onboarding_id) REFERENCES onboardings(partner_id, id),
  constraint onboarding_sessions_pkey PRIMARY KEY (partner_id, id),
  constraint onboarding_sessions_token UNIQUE (partner_id, token_hash)
);
CREATE INDEX onboarding_sessions_onboarding ON onboarding_sessions USING btree (partner_id, onboarding_id);

create table onboarding_signatures (
  partner_id uuid not null,
  id uuid not null,
  signer_id uuid not null,
  identity_provider text not null,
  state text not null,
  rejection text,
  proof_sealed bytea,
  ended_at timestamp with time zone not null,
  constraint onboarding_signatures_check CHECK (((rejection IS NULL) = (state = 'signed'::text))),
  constraint onboarding_signatures_state_check CHECK ((state = ANY (ARRAY['signed'::text, 'rejected'::text]))),
  constraint onboarding_signatures_partner_id_signer_id_fkey FOREIGN KEY (partner_id, signer_id) REFERENCES onboarding_signers(partner_id, id) ON DELETE CASCADE,
  constraint onboarding_signatures_pkey PRIMARY KEY (partner_id, id)
);
CREATE INDEX onboarding_signatures_signer ON onboarding_signatures USING btree (partner_id, signer_id, id);

create table onboarding_signers (
  partner_id uuid not null,
  id uuid not null,
  onboarding_id uuid not null,
  position integer not null,
  named_sealed bytea not null,
  status text not null,
  link_hash text,
  link_revoked_at timestamp with time zone,
  identified_sealed bytea,
  evidence_sealed bytea,
  created_at timestamp with time zone not null,
  signed_at timestamp with time zone,
  constraint onboarding_signers_partner_id_onboarding_id_fkey FOREIGN KEY (partner_id, onboarding_id) REFERENCES onboardings(partner_id, id),
  constraint onboarding_signers_pkey PRIMARY KEY (partner_id, id)
);
CREATE INDEX onboarding_signers_onboarding ON onboarding_signers USING btree (partner_id, onboarding_id);

create table onboardings (
  partner_id uuid not null,
  id uuid not null,
  country_code text not null,
  organisation_number text not null,
  organisation_name text,
  status text not null,
  status_reason text,
  redirect_url text,
  link_hash text not null,
  revision integer not null default 0,
  answers_sealed bytea,
  submitted_at timestamp with time zone,
  document_hash text,
  tasks_done text[] not null default '{}'::text[],
  documents_requested_sealed bytea,
  documents_requested_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  due_at timestamp with time zone,
  purge_at timestamp with time zone,
  lease_until timestamp with time zone,
  constraint onboardings_pkey PRIMARY KEY (partner_id, id)
);
CREATE INDEX onboardings_company ON onboardings USING btree (partner_id, country_code, organisation_number);
CREATE INDEX onboardings_created ON onboardings USING btree (partner_id, created_at, id);
CREATE INDEX onboardings_due ON onboardings USING btree (country_code, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX onboardings_number ON onboardings USING btree (partner_id, organisation_number, created_at, id);
CREATE INDEX onboardings_retention ON onboardings USING btree (country_code, purge_at) WHERE (purge_at IS NOT NULL);
CREATE INDEX onboardings_status ON onboardings USING btree (partner_id, status, created_at, id);

create table operator_tasks (
  partner_id uuid not null,
  id uuid not null,
  kind text not null,
  subject_type text not null,
  subject_id uuid not null,
  advice text not null,
  detail jsonb not null,
  status text not null,
  created_at timestamp with time zone not null,
  proposed_by text,
  proposed_resolution jsonb,
  proposed_at timestamp with time zone,
  resolved_by text,
  resolution jsonb,
  resolved_at timestamp with time zone,
  proposed_by_subject text,
  constraint operator_tasks_status_check CHECK ((status = ANY (ARRAY['open'::text, 'proposed'::text, 'resolved'::text]))),
  constraint operator_tasks_pkey PRIMARY KEY (partner_id, id)
);
CREATE UNIQUE INDEX operator_tasks_one_open ON operator_tasks USING btree (partner_id, kind, subject_id) WHERE (status <> 'resolved'::text);
CREATE INDEX operator_tasks_open ON operator_tasks USING btree (created_at) WHERE (status <> 'resolved'::text);
CREATE INDEX operator_tasks_subject ON operator_tasks USING btree (partner_id, subject_id);

create table partners (
  id uuid not null,
  name text not null,
  payroll_bulk boolean not null default false,
  ais_registration boolean not null default false,
  callback_origins text[] not null default '{}'::text[],
  created_at timestamp with time zone not null,
  disabled_at timestamp with time zone,
  constraint partners_pkey PRIMARY KEY (id),
  constraint partners_name_key UNIQUE (name)
);

create table payment_count_positions (
  partner_id uuid not null,
  counted_to timestamp with time zone,
  recounted_on date,
  due_at timestamp with time zone not null,
  constraint payment_count_positions_pkey PRIMARY KEY (partner_id)
);
CREATE INDEX payment_count_positions_due ON payment_count_positions USING btree (due_at);

create table payment_daily_counts (
  partner_id uuid not null,
  day date not null,
  currency text not null,
  status text not null,
  signed boolean not null,
  count integer not null,
  amount_minor bigint not null,
  constraint payment_daily_counts_pkey PRIMARY KEY (partner_id, day, currency, status, signed)
);

create table payment_files (
  partner_id uuid not null,
  id uuid not null,
  bic text not null,
  message_id text not null,
  state text not null,
  attempt uuid,
  created_at timestamp with time zone not null,
  reported_at timestamp with time zone,
  due_at timestamp with time zone,
  lease_until timestamp with time zone,
  constraint payment_files_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'prepared'::text, 'sent'::text, 'withdrawn'::text]))),
  constraint payment_files_pkey PRIMARY KEY (partner_id, id)
);
CREATE INDEX payment_files_due ON payment_files USING btree (bic, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX payment_files_message ON payment_files USING btree (bic, message_id);

create table payment_history (
  partner_id uuid not null,
  payment_id uuid not null,
  id uuid not null,
  at timestamp with time zone not null,
  status text not null,
  status_reason text,
  status_reason_text text,
  bank_status text,
  constraint payment_history_pkey PRIMARY KEY (partner_id, payment_id, id)
);

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
  ordered text not null,
  outcome submission_outcome not null,
  bank_request_id uuid not null,
  idempotency_operation text,
  idempotency_key text,
  bank_payment_id text,
  status text not null,
  status_reason text,
  status_reason_text text,
  bank_status text,
  signed boolean not null default false,
  notification_token_hash text not null,
  bank_notified_at timestamp with time zone,
  created_at timestamp with time zone not null,
  status_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  poll_at timestamp with time zone,
  poll_step integer not null default 0,
  unread_since timestamp with time zone,
  final_since timestamp with time zone,
  recover_at timestamp with time zone,
  lease_until timestamp with time zone,
  announced_at timestamp with time zone,
  expired_at timestamp with time zone,
  signed_at timestamp with time zone,
  settled_by text,
  cancellation_accepted_at timestamp with time zone,
  exchange exchange_state,
  quote_id uuid,
  deadline_at timestamp with time zone,
  decide_at timestamp with time zone,
  payroll_id uuid,
  constraint payments_pkey PRIMARY KEY (partner_id, id)
);
CREATE UNIQUE INDEX payments_at_bank ON payments USING btree (partner_id, bic, bank_payment_id) WHERE (bank_payment_id IS NOT NULL);
CREATE INDEX payments_awaiting_entry ON payments USING btree (partner_id, bic, debtor_bban, due_date) WHERE ((status = 'InProgress'::text) AND ((outcome)::text = 'known'::text));
CREATE INDEX payments_changed ON payments USING btree (partner_id, changed_at, id);
CREATE INDEX payments_company ON payments USING btree (partner_id, organisation_number, created_at, id);
CREATE INDEX payments_created ON payments USING btree (partner_id, created_at, id);
CREATE INDEX payments_debited ON payments USING btree (bic, partner_id, debtor_bban, amount_minor, due_date);
CREATE INDEX payments_decision_due ON payments USING btree (bic, decide_at) WHERE (decide_at IS NOT NULL);
CREATE INDEX payments_end_to_end ON payments USING btree (end_to_end_id, ((partner_id)::text), created_at, id);
CREATE UNIQUE INDEX payments_open_outcome ON payments USING btree (partner_id, end_to_end_id, amount_minor, currency, creditor_bban) WHERE ((outcome)::text = ANY (ARRAY['in-flight'::text, 'unknown'::text]));
CREATE INDEX payments_payroll ON payments USING btree (partner_id, payroll_id) WHERE (payroll_id IS NOT NULL);
CREATE INDEX payments_payroll_account ON payments USING btree (partner_id, bic, debtor_bban, due_date) WHERE (payroll_id IS NOT NULL);
CREATE INDEX payments_poll ON payments USING btree (bic, poll_at) WHERE (poll_at IS NOT NULL);
CREATE UNIQUE INDEX payments_quote ON payments USING btree (partner_id, quote_id) WHERE ((quote_id IS NOT NULL) AND ((outcome)::text <> 'void'::text));
CREATE INDEX payments_recover ON payments USING btree (bic, recover_at) WHERE (recover_at IS NOT NULL);
CREATE UNIQUE INDEX payments_settled_by ON payments USING btree (partner_id, bic, debtor_bban, settled_by) WHERE (settled_by IS NOT NULL);
CREATE INDEX payments_status ON payments USING btree (partner_id, status, created_at, id) WHERE (status <> 'Completed'::text);

create table payroll_bulks (
  partner_id uuid not null,
  id uuid not null,
  bic text not null,
  state text not null,
  created_at timestamp with time zone not null,
  idempotency_operation text,
  idempotency_key text,
  next_run_at timestamp with time zone,
  lease_until timestamp with time zone,
  constraint payroll_bulks_state_check CHECK ((state = ANY (ARRAY['submitting'::text, 'submitted'::text, 'failing'::text, 'failed'::text]))),
  constraint payroll_bulks_pkey PRIMARY KEY (partner_id, id)
);
CREATE INDEX payroll_bulks_due ON payroll_bulks USING btree (bic, next_run_at) WHERE (next_run_at IS NOT NULL);

create table payroll_cancellations (
  partner_id uuid not null,
  id uuid not null,
  payroll_id uuid not null,
  consent_id uuid not null,
  decision text,
  reason text,
  created_at timestamp with time zone not null,
  constraint payroll_cancellations_decision_check CHECK ((decision = ANY (ARRAY['ACCEPTED'::text, 'REJECTED'::text]))),
  constraint payroll_cancellations_pkey PRIMARY KEY (partner_id, id)
);
CREATE INDEX payroll_cancellations_payroll ON payroll_cancellations USING btree (partner_id, payroll_id);

create table payroll_transaction_chunks (
  partner_id uuid not null,
  payroll_id uuid not null,
  number integer not null,
  content_sealed bytea not null,
  constraint payroll_transaction_chunks_pkey PRIMARY KEY (partner_id, payroll_id, number)
);

create table payroll_transactions (
  partner_id uuid not null,
  payroll_id uuid not null,
  position integer not null,
  end_to_end_id text not null,
  payment_id uuid,
  bank_transaction_id text,
  status text,
  status_reason text,
  status_reason_text text,
  bank_status text,
  status_at timestamp with time zone,
  announced_status text,
  constraint payroll_transactions_pkey PRIMARY KEY (partner_id, payroll_id, "position")
);
CREATE INDEX payroll_transactions_end_to_end ON payroll_transactions USING btree (partner_id, end_to_end_id);
CREATE INDEX payroll_transactions_own_status ON payroll_transactions USING btree (partner_id, payment_id) WHERE (status IS NOT NULL);
CREATE INDEX payroll_transactions_payment ON payroll_transactions USING btree (partner_id, payment_id) WHERE (payment_id IS NOT NULL);

create table payrolls (
  partner_id uuid not null,
  id uuid not null,
  bulk_id uuid,
  consent_id uuid not null,
  bic text not null,
  country_code text not null,
  organisation_number text not null,
  debtor_bban text not null,
  currency text not null,
  due_date date not null,
  submission_mode text not null,
  transaction_count integer not null,
  terms_sealed bytea not null,
  state text not null,
  state_text text,
  status text not null,
  created_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  next_run_at timestamp with time zone,
  submit_at timestamp with time zone,
  submission_consent_id uuid not null,
  submission_needs_user boolean not null default false,
  submission_failed_since timestamp with time zone,
  lease_until timestamp with time zone,
  content_digest text,
  blocked_by_payroll_id uuid,
  constraint payrolls_state_check CHECK ((state = ANY (ARRAY['submitting'::text, 'submitted'::text, 'failing'::text, 'failed'::text]))),
  constraint payrolls_submission_mode_check CHECK ((submission_mode = ANY (ARRAY['bulk'::text, 'baskets'::text, 'chain'::text, 'file'::text]))),
  constraint payrolls_pkey PRIMARY KEY (partner_id, id)
);
CREATE INDEX payrolls_bulk ON payrolls USING btree (partner_id, bulk_id) WHERE (bulk_id IS NOT NULL);
CREATE INDEX payrolls_changed ON payrolls USING btree (partner_id, changed_at, id);
CREATE INDEX payrolls_company ON payrolls USING btree (partner_id, organisation_number, created_at, id);
CREATE INDEX payrolls_content_digest ON payrolls USING btree (partner_id, content_digest, created_at) WHERE (content_digest IS NOT NULL);
CREATE INDEX payrolls_created ON payrolls USING btree (partner_id, created_at, id);
CREATE INDEX payrolls_due ON payrolls USING btree (bic, next_run_at) WHERE (next_run_at IS NOT NULL);
CREATE INDEX payrolls_status ON payrolls USING btree (partner_id, status, created_at, id);
CREATE INDEX payrolls_submission_due ON payrolls USING btree (bic, submit_at) WHERE (submit_at IS NOT NULL);

create table request_log (
  partner_id uuid not null,
  id uuid not null,
  client_id text not null,
  method text not null,
  path text not null,
  status integer not null,
  milliseconds real not null,
  is_payroll boolean not null,
  error_codes text[],
  subject_type text,
  subject_id uuid,
  idempotency_key text,
  headers json not null,
  request_body text,
  response_body text,
  bytes integer not null,
  unknown_fields jsonb,
  constraint request_log_pkey PRIMARY KEY (partner_id, id)
);
CREATE INDEX request_log_errors ON request_log USING btree (partner_id, id) WHERE (status >= 400);

create table request_log_sizes (
  partner_id uuid not null,
  bytes bigint not null,
  constraint request_log_sizes_pkey PRIMARY KEY (partner_id)
);

create table running_processes (
  id uuid not null,
  role text not null,
  host text not null,
  pid integer not null,
  started_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  release text,
  constraint running_processes_pkey PRIMARY KEY (id)
);
CREATE INDEX running_processes_retention ON running_processes USING btree (seen_at);

create table sandbox_data_set (
  only_row boolean not null default true,
  name text not null,
  state text not null,
  step text not null,
  done integer not null,
  total integer not null,
  started_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  error text,
  constraint sandbox_data_set_only_row_check CHECK (only_row),
  constraint sandbox_data_set_pkey PRIMARY KEY (only_row)
);

create table sca_sessions (
  partner_id uuid not null,
  id uuid not null,
  kind text not null,
  subject_id uuid not null,
  consent_id uuid,
  bic text,
  callback_url text not null,
  link_hash text not null,
  link_sealed bytea,
  browser_hash text,
  status text not null,
  outcome text,
  created_at timestamp with time zone not null,
  left_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  step_seconds integer not null,
  ended_at timestamp with time zone,
  read_at timestamp with time zone,
  due_at timestamp with time zone,
  lease_until timestamp with time zone,
  shown_by text not null default 'page'::text,
  preferred text,
  trusted_at timestamp with time zone,
  trusted_by text,
  confirm_hash text,
  bank_notified_at timestamp with time zone,
  identity_provider text,
  sca_provider text not null default COALESCE(bic, identity_provider),
  version integer not null default 0,
  constraint sca_sessions_consent_at_bank CHECK (((bic IS NULL) = (consent_id IS NULL))),
  constraint sca_sessions_one_provider CHECK (((bic IS NULL) <> (identity_provider IS NULL))),
  constraint sca_sessions_preferred_check CHECK ((preferred = ANY (ARRAY['redirect'::text, 'qr'::text]))),
  constraint sca_sessions_shown_by_check CHECK ((shown_by = ANY (ARRAY['page'::text, 'partner'::text]))),
  constraint sca_sessions_trusted_by_check CHECK ((trusted_by = ANY (ARRAY['return'::text, 'confirmation'::text]))),
  constraint sca_sessions_pkey PRIMARY KEY (partner_id, id)
);
CREATE INDEX sca_sessions_due ON sca_sessions USING btree (sca_provider, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX sca_sessions_subject ON sca_sessions USING btree (partner_id, kind, subject_id);

create table sca_steps (
  partner_id uuid not null,
  sca_session_id uuid not null,
  position integer not null,
  target_type text not null,
  target_id uuid not null,
  authorisation_id text,
  redirect_sealed bytea,
  return_hash text,
  state text not null,
  sca_status text,
  shown jsonb not null,
  user_sealed bytea,
  ip_address text,
  user_agent text,
  started_at timestamp with time zone,
  left_at timestamp with time zone,
  returned_at timestamp with time zone,
  ended_at timestamp with time zone,
  approach text,
  text_sealed bytea,
  code_sealed bytea,
  return_secret_sealed bytea,
  callback_hash text,
  callback_lease_until timestamp with time zone,
  start_lease_until timestamp with time zone,
  renewals integer not null default 0,
  language text,
  shown_sealed bytea,
  methods_sealed bytea,
  notification_hash text,
  constraint sca_steps_approach_check CHECK ((approach = ANY (ARRAY['redirect'::text, 'app'::text, 'code'::text, 'none'::text]))),
  constraint sca_steps_pkey PRIMARY KEY (partner_id, sca_session_id, "position")
);
CREATE INDEX sca_steps_target ON sca_steps USING btree (partner_id, target_id);

create table token_keys (
  kid text not null,
  public_jwk jsonb not null,
  private_jwk_sealed bytea not null,
  created_at timestamp with time zone not null,
  retired_at timestamp with time zone,
  disabled_at timestamp with time zone,
  constraint token_keys_pkey PRIMARY KEY (kid)
);

create table unattended_reads (
  partner_id uuid not null,
  consent_id uuid not null,
  kind text not null,
  stable_id text not null,
  read_on date not null,
  reads integer not null,
  constraint unattended_reads_pkey PRIMARY KEY (partner_id, consent_id, kind, stable_id)
);
CREATE INDEX unattended_reads_retention ON unattended_reads USING btree (read_on);

create table webhook_deliveries (
  partner_id uuid not null,
  subscription_id uuid not null,
  id uuid not null,
  endpoint_version integer not null,
  origin text not null,
  event_id uuid not null,
  event_type text not null,
  subject_id uuid,
  body text not null,
  status text not null,
  attempts jsonb not null default '[]'::jsonb,
  attempts_made integer not null default 0,
  ready boolean not null,
  due_at timestamp with time zone,
  lease_until timestamp with time zone,
  created_at timestamp with time zone not null,
  sequence bigint not null,
  retried_manually boolean not null default false,
  constraint webhook_deliveries_pkey PRIMARY KEY (partner_id, subscription_id, id)
);
CREATE UNIQUE INDEX webhook_deliveries_by_hand ON webhook_deliveries USING btree (partner_id, subscription_id, event_id) WHERE (retried_manually AND (due_at IS NOT NULL));
CREATE INDEX webhook_deliveries_due ON webhook_deliveries USING btree (due_at) WHERE ((due_at IS NOT NULL) AND (NOT ready));
CREATE INDEX webhook_deliveries_log ON webhook_deliveries USING btree (partner_id, subscription_id, event_type, status, id);
CREATE INDEX webhook_deliveries_ready ON webhook_deliveries USING btree (partner_id, origin, sequence) WHERE ready;
CREATE INDEX webhook_deliveries_repeated ON webhook_deliveries USING btree (partner_id, subject_id, id) WHERE retried_manually;

create table webhook_endpoints (
  partner_id uuid not null,
  subscription_id uuid not null,
  version integer not null,
  target_url text not null,
  origin text not null,
  signing_secret_sealed bytea,
  bearer_token_sealed bytea,
  referenced_below_id uuid,
  constraint webhook_endpoints_pkey PRIMARY KEY (partner_id, subscription_id, version)
);
CREATE INDEX webhook_endpoints_replaced ON webhook_endpoints USING btree (partner_id, subscription_id, version) WHERE (referenced_below_id IS NOT NULL);

create table webhook_inbox_deliveries (
  partner_id uuid not null,
  id uuid not null,
  received_at timestamp with time zone not null,
  event_type text,
  headers jsonb not null,
  body text not null,
  signature_status text not null,
  constraint webhook_inbox_deliveries_pkey PRIMARY KEY (partner_id, id)
);

create table webhook_inboxes (
  partner_id uuid not null,
  token text not null,
  created_at timestamp with time zone not null,
  constraint webhook_inboxes_pkey PRIMARY KEY (partner_id)
);

create table webhook_subscriptions (
  partner_id uuid not null,
  id uuid not null,
  enabled boolean not null,
  event_types text[] not null,
  endpoint_version integer not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  paused_after bigint,
  constraint webhook_subscriptions_pkey PRIMARY KEY (partner_id, id)
);
CREATE INDEX webhook_subscriptions_retention ON webhook_subscriptions USING btree (updated_at) WHERE (NOT enabled);
