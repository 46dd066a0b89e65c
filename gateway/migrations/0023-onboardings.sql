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
  tasks_done text[] not null default '{}',
  -- Which documents an operator asked for, in the operator's words; kept until they are handed in.
  documents_asked_sealed bytea,
  documents_asked_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz,
  -- Business time at which it expires, or is decided because the last signature is there.
  due_at timestamptz,
  -- Business time at which what people wrote is forgotten of an onboarding that came to nothing.
  forget_at timestamptz,
  lease_until timestamptz,
  primary key (partner_id, id)
);
create index onboardings_company on onboardings (partner_id, country_code, organisation_number);
-- Sweeps: led by the country and the due time, they cross partners.
create index onboardings_due on onboardings (country_code, due_at) where due_at is not null;
create index onboardings_retention on onboardings (country_code, forget_at) where forget_at is not null;

-- Who signs for the company, and by which link; a link that was given away leads to nothing but its signer's own part.
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
  primary key (partner_id, id),
  foreign key (partner_id, onboarding_id) references onboardings (partner_id, id)
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
  primary key (partner_id, id),
  constraint onboarding_sessions_token unique (partner_id, token_hash),
  foreign key (partner_id, onboarding_id) references onboardings (partner_id, id)
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
  primary key (partner_id, id),
  foreign key (partner_id, onboarding_id) references onboardings (partner_id, id)
);
create index onboarding_documents_onboarding on onboarding_documents (partner_id, onboarding_id);
