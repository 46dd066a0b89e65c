-- How far business time is ahead of wall time; only the sandbox moves it.
create table business_clock (
  only_row boolean primary key default true check (only_row),
  offset_milliseconds bigint not null
);
insert into business_clock (offset_milliseconds) values (0);

-- Locked while the clock moves, so that readers of the offset never wait.
create table business_clock_moves (only_row boolean primary key default true check (only_row));
insert into business_clock_moves default values;
