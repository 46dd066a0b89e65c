-- Who proposed the resolution of a task, as whatever authenticated them names them: two operators are two of these. What
-- was proposed before has none, and is proposed again.
alter table operator_tasks add column proposed_by_subject text;
