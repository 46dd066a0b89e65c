-- Fields that a request had and its operation does not know, each with the nearest known name; null without any.
alter table request_log add column unknown_fields jsonb;
