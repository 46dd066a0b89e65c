-- Users of the console who sign in with passkeys. They belong to Havn: those of a partner name it.
create table console_users (
  id uuid not null,
  name text not null,
  -- Null for operators.
  partner_id uuid,
  roles text[] not null,
  -- Wall time, like all times below.
  created_at timestamptz not null,
  disabled_at timestamptz,
  constraint console_users_pkey primary key (id),
  constraint console_users_name unique (name)
);

create table console_passkeys (
  -- As the authenticator names it, in base64url.
  credential_id text not null,
  user_id uuid not null,
  -- COSE key in base64url.
  public_key text not null,
  -- How often the authenticator says that it signed; zero forever for those that do not count.
  signature_count bigint not null,
  transports text[] not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  constraint console_passkeys_pkey primary key (credential_id),
  constraint console_passkeys_user_fkey foreign key (user_id) references console_users (id)
);
create index console_passkeys_user on console_passkeys (user_id);

-- One for each user: a new one replaces the former.
create table console_invitations (
  user_id uuid not null,
  token_hash text not null,
  created_at timestamptz not null,
  constraint console_invitations_pkey primary key (user_id),
  constraint console_invitations_token unique (token_hash),
  constraint console_invitations_user_fkey foreign key (user_id) references console_users (id)
);
