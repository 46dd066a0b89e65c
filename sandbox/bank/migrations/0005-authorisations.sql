create table authorisations (
  position bigint generated always as identity,
  id uuid primary key,
  bank text not null,
  subject text not null check (subject in ('payment', 'cancellation', 'consent')),
  resource_id uuid not null,
  token_hash text not null,
  sca_status text not null,
  outcome text,
  psu_message text,
  psu_id text,
  signer_id text,
  redirect_uri text not null,
  nok_redirect_uri text,
  created_at timestamptz not null,
  opened_at timestamptz,
  due_at timestamptz
);
create index authorisations_of_resource on authorisations (resource_id);
create index authorisations_due on authorisations (due_at) where due_at is not null;
