create table consents (
  id uuid primary key,
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
  due_at timestamptz
);
create index consents_due on consents (due_at) where due_at is not null;
create index consents_of_user on consents (bank, psu_id, corporate_id) where status = 'valid';

-- The accounts a consent opens; each has an id that means something under this consent only.
create table consent_accounts (
  consent_id uuid not null references consents (id) on delete cascade,
  resource_id uuid not null,
  bban text not null,
  balances boolean not null,
  transactions boolean not null,
  primary key (consent_id, resource_id),
  unique (consent_id, bban)
);

-- Reads without the user present, counted per day.
create table consent_reads (
  consent_id uuid not null references consents (id) on delete cascade,
  read_on date not null,
  subject text not null,
  count int not null,
  primary key (consent_id, read_on, subject)
);
