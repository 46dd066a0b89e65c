/** Finds in a migration what would block the requests of running programs, or break those of the release before. */
import type { Migration } from '../../platform/database/migration/migration-file.ts'

const CREATE_TABLE = /^create table (\w+) \(/
const CREATE_DOMAIN = /^create domain /
const CREATE_INDEX = /^create (?:unique )?index \w+ on (\w+) /
const ALTER_TABLE = /^alter table (\w+) (.*)$/
const LOCKED_TABLE = /\b(?:^alter table|references) (\w+)/g
const NEXT_ACTION = /, (?=add |alter |drop |rename |validate )/
const ADD_COLUMN = /^add column (\w+) (.*)$/
/** A function would be called for each row, which rewrites the table under its lock. */
const CONSTANT_DEFAULT = / default (?:'[^']*'(?:::\w+(?:\[\])?)?|-?\d+(?:\.\d+)?|true|false|null)(?= |$)/
const TYPE = /^(?!.*serial)\w+(?: precision| varying)?(?:\(\d+(?:, ?\d+)?\))?(?: with(?:out)? time zone)?(?:\[\])?$/

/** Each error names the migration and says what to do instead; empty where there is none. */
export function migrationErrors({ name, sql, index }: Pick<Migration, 'name' | 'sql' | 'index'>): readonly string[] {
  const statements = statementsOf(sql)
  const created = new Set(statements.map((statement) => CREATE_TABLE.exec(statement)?.[1] ?? ''))
  const locked = new Set(
    statements.flatMap((statement) => [...statement.matchAll(LOCKED_TABLE)].map(([, one = '']) => one)),
  )
  const existing = [...locked].filter((table) => !created.has(table))
  return [
    ...(index === null ? statements.flatMap((statement) => statementErrors(statement, created)) : []),
    ...(index?.statement.startsWith('create unique') === true
      ? [`the unique index ${index.name} may reject what the release before inserts`]
      : []),
    ...(existing.length > 1
      ? [`locks ${existing.join(' and ')}: a file for each, so that it does not wait for one with the lock of another`]
      : []),
  ].map((error) => `${name}: ${error}`)
}

function statementsOf(sql: string): readonly string[] {
  return sql
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim().toLowerCase())
    .filter((statement) => statement !== '')
}

function statementErrors(statement: string, created: ReadonlySet<string>): readonly string[] {
  const [, indexed] = CREATE_INDEX.exec(statement) ?? []
  const [, table, actions = ''] = ALTER_TABLE.exec(statement) ?? []
  const [, filled] = /^insert into (\w+)/.exec(statement) ?? []
  if (
    CREATE_TABLE.test(statement) ||
    CREATE_DOMAIN.test(statement) ||
    [indexed, table, filled].some((one) => one !== undefined && created.has(one))
  ) {
    return []
  }
  if (indexed !== undefined) {
    return [`an index on ${indexed} blocks its writes: a file of its own, "-- without transaction", "concurrently"`]
  }
  return table === undefined
    ? [`"${statement}" is not known to go together with running programs`]
    : actions.split(NEXT_ACTION).flatMap((action) => actionErrors(table, action))
}

/** A column may be added if the release before can insert without it, and no row has to be read. */
function actionErrors(table: string, action: string): readonly string[] {
  const [, column, definition = ''] = ADD_COLUMN.exec(action) ?? []
  if (column === undefined) {
    return [`"${action}" of ${table} is not known to go together with running programs`]
  }
  const hasDefault = CONSTANT_DEFAULT.test(definition)
  const type = definition.replace(CONSTANT_DEFAULT, '').replace(/ not null(?= |$)/, '')
  if (!TYPE.test(type)) {
    return [`${table}.${column} has more than a type, "not null" and a constant default`]
  }
  return / not null(?: |$)/.test(definition) && !hasDefault
    ? [`${table}.${column} is required, and the release before does not insert it: a default`]
    : []
}
