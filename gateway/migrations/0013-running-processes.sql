-- The processes that run, for operators: each repeats while it lives that it does.
create table running_processes (
  id uuid not null,
  role text not null,
  host text not null,
  pid int not null,
  -- Wall time, like the following one.
  started_at timestamptz not null,
  seen_at timestamptz not null,
  constraint running_processes_pkey primary key (id)
);
create index running_processes_retention on running_processes (seen_at);
