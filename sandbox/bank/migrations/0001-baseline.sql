-- The tables of the sandbox bank, in a schema of their own.

-- How far the bank's business time is ahead of wall time; one row.
create table clock (
  id int not null,
  offset_milliseconds bigint not null,
  constraint clock_pkey primary key (id),
  constraint clock_id_check check (id = 1)
);

-- What changes about an account; who owns it and who may use it is the world's data.
create table accounts (
  bank text not null,
  bban text not null,
  currency text not null,
  balance_minor bigint not null,
  constraint accounts_pkey primary key (bank, bban)
);

create table entries (
  position bigint generated always as identity,
  id uuid not null,
  bank text not null,
  bban text not null,
  booked_on date not null,
  booked_at timestamptz not null,
  amount_minor bigint not null,
  currency text not null,
  balance_after_minor bigint not null,
  counterparty text not null,
  counterparty_account text,
  message text,
  reference text,
  payment_id uuid,
  -- The payer's own id of a payment, shown on entries to both sides.
  end_to_end_id text,
  -- What an entry is known by from before it is booked: the payment, or the entry that was expected. And what
  -- batches are made of.
  persistent_id uuid not null,
  value_on date not null,
  parts jsonb,
  -- How many payments an entry stands for that was booked as one line.
  batch_size int,
  constraint entries_pkey primary key (id),
  constraint entries_bank_bban_fkey foreign key (bank, bban) references accounts(bank, bban)
);
create index entries_of_account on entries (bank, bban, booked_on desc, "position" desc);
create index entries_by_lasting_id on entries (bank, bban, persistent_id);

create table consents (
  id uuid not null,
  bank text not null,
  psu_id text,
  corporate_id text,
  access jsonb not null,
  recurring boolean not null,
  valid_until date not null,
  frequency_per_day int not null,
  status text not null,
  signer_id text,
  last_action_on date not null,
  redirect_uri text,
  nok_redirect_uri text,
  notification_uri text,
  notification_content text,
  created_at timestamptz not null,
  due_at timestamptz,
  constraint consents_pkey primary key (id)
);
create index consents_due on consents (due_at) where due_at is not null;
create index consents_of_user on consents (bank, psu_id, corporate_id) where status = 'valid';

-- The accounts a consent opens; each has an id that means something under this consent only.
create table consent_accounts (
  consent_id uuid not null,
  resource_id uuid not null,
  bban text not null,
  balances boolean not null,
  transactions boolean not null,
  constraint consent_accounts_pkey primary key (consent_id, resource_id),
  constraint consent_accounts_consent_id_bban_key unique (consent_id, bban),
  constraint consent_accounts_consent_id_fkey foreign key (consent_id) references consents(id) on delete cascade
);

-- Reads without the user present, counted per day.
create table consent_reads (
  consent_id uuid not null,
  read_on date not null,
  subject text not null,
  count int not null,
  constraint consent_reads_pkey primary key (consent_id, read_on, subject),
  constraint consent_reads_consent_id_fkey foreign key (consent_id) references consents(id) on delete cascade
);

create table authorisations (
  position bigint generated always as identity,
  id uuid not null,
  bank text not null,
  subject text not null,
  resource_id uuid not null,
  token_hash text not null,
  sca_status text not null,
  outcome text,
  psu_message text,
  psu_id text,
  signer_id text,
  redirect_uri text,
  nok_redirect_uri text,
  created_at timestamptz not null,
  opened_at timestamptz,
  due_at timestamptz,
  approach text not null default 'redirect',
  -- The browser's link, where the third party may ask for it again.
  link_token text,
  code_form text,
  code_token uuid,
  code_secret text,
  -- Wall time: when the code was first shown, and when nobody may scan it any more; null once somebody has.
  code_issued_at timestamptz,
  code_expires_at timestamptz,
  -- What the browser takes back to the third party, which has to bring it here.
  confirmation_code text,
  confirmation_failures int not null default 0,
  constraint authorisations_pkey primary key (id),
  constraint authorisations_approach_check check (approach in ('redirect', 'app', 'embedded')),
  constraint authorisations_code_form_check check (code_form in ('image', 'image-link', 'start-token')),
  constraint authorisations_subject_check check (subject in ('payment', 'cancellation', 'consent', 'basket'))
);
create index authorisations_of_resource on authorisations (resource_id);
create index authorisations_due on authorisations (due_at) where due_at is not null;
create index authorisations_by_code on authorisations (code_token) where code_token is not null;
create index authorisations_lapsing on authorisations (code_expires_at) where code_expires_at is not null;
create index authorisations_in_apps on authorisations ("position") where approach = 'app' and outcome is null;

-- Payments that are signed together.
create table baskets (
  position bigint generated always as identity,
  id uuid not null,
  bank text not null,
  status text not null,
  psu_id text,
  corporate_id text,
  redirect_uri text,
  nok_redirect_uri text,
  notification_uri text,
  notification_content text,
  created_at timestamptz not null,
  -- Until when a basket waits for its first signature.
  due_at timestamptz,
  constraint baskets_pkey primary key (id)
);
create index baskets_due on baskets (due_at) where due_at is not null;

create table payments (
  position bigint generated always as identity,
  id uuid not null,
  bank text not null,
  service text not null,
  product text not null,
  body jsonb not null,
  debtor text not null,
  creditor text not null,
  creditor_name text not null,
  amount_minor bigint not null,
  currency text not null,
  message text,
  reference text,
  execution_on date not null,
  status text not null,
  status_text text,
  funds_available boolean,
  lapsed boolean not null,
  request_id uuid not null,
  psu_id text,
  corporate_id text,
  redirect_uri text,
  nok_redirect_uri text,
  notification_uri text,
  notification_content text,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  signed_at timestamptz,
  funds_deadline_at timestamptz,
  due_at timestamptz,
  -- How many steps of its scripted outcome a payment has taken since it was ordered, partly signed or signed; null
  -- without.
  script_step int,
  -- When signatures were taken back; those given before count no more.
  signatures_revoked_at timestamptz,
  rail text not null default 'account',
  requested_on date,
  last_visible text not null default 'settled',
  basket_id uuid,
  -- Orders of many payments from one account on one day, which are signed as one, and what becomes of each payment
  -- in them.
  bulk_size int,
  constraint payments_pkey primary key (id),
  constraint payments_basket_id_fkey foreign key (basket_id) references baskets(id),
  constraint payments_rail_check check (rail in ('account', 'bankgiro', 'plusgiro', 'payment-form', 'cross-border'))
);
create index payments_of_bank on payments (bank, "position");
create index payments_of_debtor on payments (bank, debtor) where due_at is not null;
create index payments_of_basket on payments (basket_id) where basket_id is not null;
create index payments_alike on payments (bank, debtor, creditor, amount_minor, requested_on, "position");
create index payments_due on payments (due_at, "position") where due_at is not null;

-- What third parties ask of the authorisation server, one row for each browser that is sent to it.
create table oauth_requests (
  id uuid not null,
  bank text not null,
  link_hash text not null,
  client_id text not null,
  redirect_uri text not null,
  state text,
  scope text not null,
  code_challenge text not null,
  login_hint text,
  authorisation_id uuid,
  user_id text,
  outcome text,
  code_hash text,
  code_expires_at timestamptz,
  grant_id uuid,
  created_at timestamptz not null,
  constraint oauth_requests_pkey primary key (id),
  constraint oauth_requests_code_hash_key unique (code_hash),
  constraint oauth_requests_outcome_check check (outcome in ('granted', 'denied'))
);

-- What a user has granted to a third party; ended as a whole.
create table oauth_grants (
  id uuid not null,
  bank text not null,
  client_id text not null,
  user_id text not null,
  scope text not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  constraint oauth_grants_pkey primary key (id)
);
create index oauth_grants_of_scope on oauth_grants (bank, scope);

-- Tokens are stored as hashes; times are wall time.
create table oauth_tokens (
  token_hash text not null,
  grant_id uuid not null,
  kind text not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint oauth_tokens_pkey primary key (token_hash),
  constraint oauth_tokens_grant_id_fkey foreign key (grant_id) references oauth_grants(id) on delete cascade,
  constraint oauth_tokens_kind_check check (kind in ('access', 'refresh'))
);
create index oauth_tokens_of_grant on oauth_tokens (grant_id);

-- Signatures that users gave in the bank's own netbank, of which third parties see nothing but their effect.
create table netbank_signatures (
  payment_id uuid not null,
  signer_id text not null,
  signed_at timestamptz not null,
  constraint netbank_signatures_pkey primary key (payment_id, signer_id, signed_at),
  constraint netbank_signatures_payment_id_fkey foreign key (payment_id) references payments(id) on delete cascade
);

-- Money on its way that is no payment of this bank's: it is booked when it is due.
create table pending_entries (
  position bigint generated always as identity,
  id uuid not null,
  bank text not null,
  bban text not null,
  value_on date not null,
  amount_minor bigint not null,
  currency text not null,
  counterparty text not null,
  counterparty_account text,
  message text,
  reference text,
  end_to_end_id text,
  parts jsonb,
  due_at timestamptz not null,
  constraint pending_entries_pkey primary key (id),
  constraint pending_entries_bank_bban_fkey foreign key (bank, bban) references accounts(bank, bban)
);
create index pending_entries_of_account on pending_entries (bank, bban, "position");
create index pending_entries_due on pending_entries (due_at);

-- Payments whose money went to an account of the provider of exchange, which is told of it; due_at until it knows.
create table fx_provider_notifications (
  payment_id uuid not null,
  due_at timestamptz,
  constraint fx_provider_notifications_pkey primary key (payment_id),
  constraint fx_provider_notifications_payment_id_fkey foreign key (payment_id) references payments(id) on delete cascade
);
create index fx_provider_notifications_due on fx_provider_notifications (due_at) where due_at is not null;

create table bulk_transactions (
  bulk_id uuid not null,
  position int not null,
  id uuid not null,
  body jsonb not null,
  rail text not null,
  creditor text not null,
  creditor_name text not null,
  amount_minor bigint not null,
  message text,
  reference text,
  status text,
  status_text text,
  script_step int not null,
  due_at timestamptz,
  constraint bulk_transactions_pkey primary key (bulk_id, "position"),
  constraint bulk_transactions_id_key unique (id),
  constraint bulk_transactions_bulk_id_fkey foreign key (bulk_id) references payments(id) on delete cascade
);
create index bulk_transactions_due on bulk_transactions (due_at, bulk_id, "position") where due_at is not null;


insert into clock values (1, 0);
