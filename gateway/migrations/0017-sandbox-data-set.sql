-- The data set of the sandbox that was loaded last, and how far its load has come.
create table sandbox_data_set (
  only_row boolean not null default true,
  name text not null,
  state text not null,
  step text not null,
  -- Rows of the step.
  done int not null,
  total int not null,
  -- In wall time.
  started_at timestamptz not null,
  updated_at timestamptz not null,
  error text,
  constraint sandbox_data_set_pkey primary key (only_row),
  constraint sandbox_data_set_only_row_check check (only_row)
);
