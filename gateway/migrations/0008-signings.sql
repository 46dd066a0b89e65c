-- A user's way through a bank: a link, the authorisations behind it, and what was signed.
create table signings (
  partner_id uuid not null,
  id uuid not null,
  kind text not null,
  subject_id uuid not null,
  consent_id uuid not null,
  bic text not null,
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
  primary key (partner_id, id)
);
create index signings_subject on signings (partner_id, kind, subject_id);
create index signings_due on signings (due_at) where due_at is not null;

create table signing_steps (
  partner_id uuid not null,
  signing_id uuid not null,
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
  primary key (partner_id, signing_id, position)
);
create index signing_steps_target on signing_steps (partner_id, target_id);
