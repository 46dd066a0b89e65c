-- Partners, their credentials, and the keys that sign access tokens.
create table partners (
  id uuid primary key,
  name text not null unique,
  payroll_bulk boolean not null default false,
  ais_registration boolean not null default false,
  -- Origins that callback addresses may have in production, e.g. https://erp.example.
  callback_origins text[] not null default '{}',
  created_at timestamptz not null,
  disabled_at timestamptz
);

create table clients (
  client_id text primary key,
  partner_id uuid not null references partners (id),
  -- Secrets are 256 random bits: a plain SHA-256 cannot be searched.
  secret_hash text not null,
  created_at timestamptz not null,
  disabled_at timestamptz
);
create index clients_partner on clients (partner_id);

create table token_keys (
  kid text primary key,
  public_jwk jsonb not null,
  private_jwk_sealed bytea not null,
  created_at timestamptz not null,
  -- A retired key signs nothing new; its tokens stay good until they expire.
  retired_at timestamptz,
  disabled_at timestamptz
);
