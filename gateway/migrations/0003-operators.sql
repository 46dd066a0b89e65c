-- What needs a person, and what people and programs did.
create table operator_tasks (
  partner_id uuid not null,
  id uuid not null,
  kind text not null,
  subject_type text not null,
  subject_id uuid not null,
  advice text not null,
  detail jsonb not null,
  status text not null check (status in ('open', 'proposed', 'resolved')),
  created_at timestamptz not null,
  -- Closing unknown money takes two people: the first proposes a resolution, the second confirms it.
  proposed_by text,
  proposed_resolution jsonb,
  proposed_at timestamptz,
  resolved_by text,
  resolution jsonb,
  resolved_at timestamptz,
  primary key (partner_id, id)
);
create unique index operator_tasks_one_open on operator_tasks (partner_id, kind, subject_id) where status <> 'resolved';
create index operator_tasks_subject on operator_tasks (partner_id, subject_id);
create index operator_tasks_open on operator_tasks (created_at) where status <> 'resolved';

create table audit_log (
  partner_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  actor text not null,
  action text not null,
  subject_type text not null,
  subject_id text not null,
  detail jsonb not null,
  primary key (partner_id, id)
);
create index audit_log_subject on audit_log (partner_id, subject_id, id);
