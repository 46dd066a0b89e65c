-- What third parties ask of the authorisation server, one row for each browser that is sent to it.
create table oauth_requests (
  id uuid primary key,
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
  outcome text check (outcome in ('granted', 'denied')),
  code_hash text unique,
  code_expires_at timestamptz,
  grant_id uuid,
  created_at timestamptz not null
);

-- What a user has granted to a third party; ended as a whole.
create table oauth_grants (
  id uuid primary key,
  bank text not null,
  client_id text not null,
  user_id text not null,
  scope text not null,
  created_at timestamptz not null,
  ended_at timestamptz
);
create index oauth_grants_of_scope on oauth_grants (bank, scope);

-- Tokens are kept as hashes; times are wall time.
create table oauth_tokens (
  token_hash text primary key,
  grant_id uuid not null references oauth_grants (id) on delete cascade,
  kind text not null check (kind in ('access', 'refresh')),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index oauth_tokens_of_grant on oauth_tokens (grant_id);
