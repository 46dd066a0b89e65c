-- The release of a process, so that an upgrade sees which ones run; null for releases that did not record it.
alter table running_processes add column release text;
