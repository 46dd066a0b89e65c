-- Signatures of persons: given at an identity provider, so that neither a bank nor a consent is there.
alter table signings
  alter column consent_id drop not null,
  alter column bic drop not null,
  -- The provider's name in the settings; null where a bank is signed at.
  add column identity_provider text,
  -- Where it is signed, by which sweeps share their places.
  add column place text not null generated always as (coalesce(bic, identity_provider)) stored,
  add constraint signings_at_one_place check ((bic is null) <> (identity_provider is null)),
  add constraint signings_under_consent check ((bic is null) = (consent_id is null));
drop index signings_due;
create index signings_due on signings (place, due_at) where due_at is not null;

-- How the signature of a person ended at the provider: what a signing's step is read by.
create table onboarding_signatures (
  partner_id uuid not null,
  -- The authorisation of the step.
  id uuid not null,
  signer_id uuid not null,
  identity_provider text not null,
  state text not null check (state in ('signed', 'refused')),
  -- Why it was not taken.
  refusal text check ((refusal is null) = (state = 'signed')),
  -- Who signed and the provider's signed word, until the signer has both.
  proof_sealed bytea,
  ended_at timestamptz not null,
  primary key (partner_id, id),
  foreign key (partner_id, signer_id) references onboarding_signers (partner_id, id) on delete cascade
);
create index onboarding_signatures_signer on onboarding_signatures (partner_id, signer_id, id);

-- Somebody identifies without signing: what their browser must come back with, one for each session, the latest.
create table onboarding_identifications (
  partner_id uuid not null,
  session_id uuid not null,
  identity_provider text not null,
  secret_sealed bytea not null,
  -- Wall time.
  begun_at timestamptz not null,
  primary key (partner_id, session_id),
  foreign key (partner_id, session_id) references onboarding_sessions (partner_id, id) on delete cascade
);
