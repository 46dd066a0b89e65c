/** Finds what a process of a released version could no longer do with the present tables. */

type Column = { readonly type: string; readonly isNullable: boolean; readonly hasDefault: boolean }
type Table = {
  readonly columns: ReadonlyMap<string, Column>
  /** Statements of unique indexes and keys. */
  readonly unique: readonly string[]
  /** Checks and foreign keys. */
  readonly constraints: readonly string[]
}
/** The constraint of a domain is its `check`. */
type Schema = { readonly tables: ReadonlyMap<string, Table>; readonly domains: ReadonlyMap<string, string> }

/** Describes each incompatible change between two files like `gateway/schema.sql`; empty where there is none. */
export function schemaChanges(released: string, current: string): readonly string[] {
  const [old, now] = [parseSchema(released), parseSchema(current)]
  return [
    ...[...old.domains]
      .filter(([name, check]) => !acceptsAll(check, now.domains.get(name) ?? ''))
      .map(([name]) => `domain ${name} accepts less, or is removed`),
    ...[...old.tables].flatMap(([name, table]) => tableChanges(name, table, now.tables.get(name))),
  ]
}

function tableChanges(table: string, old: Table, now: Table | undefined): readonly string[] {
  if (now === undefined) {
    return [`table ${table} removed`]
  }
  return [
    ...[...old.columns].flatMap(([name, column]) => columnChanges(`${table}.${name}`, column, now.columns.get(name))),
    ...[...now.columns]
      .filter(([name, { isNullable, hasDefault }]) => !old.columns.has(name) && !isNullable && !hasDefault)
      .map(([name]) => `${table}.${name} is new and required: inserts of the release before fail`),
    ...now.unique
      .filter((statement) => !old.unique.includes(statement))
      .map((statement) => `${table} has a new unique key: ${statement}`),
    ...now.constraints
      .filter((one) => !old.constraints.some((former) => acceptsAll(former, one)) && !isOfNewColumns(one, old))
      .map((one) => `${table} has a new constraint: ${one}`),
  ]
}

function columnChanges(name: string, old: Column, now: Column | undefined): readonly string[] {
  if (now === undefined) {
    return [`column ${name} removed`]
  }
  return [
    ...(now.type === old.type ? [] : [`column ${name} is ${now.type} instead of ${old.type}`]),
    ...(old.isNullable && !now.isNullable ? [`column ${name} is no longer nullable`] : []),
    ...(old.hasDefault && !now.hasDefault && !now.isNullable ? [`column ${name} has no default`] : []),
  ]
}

/** Whether the present constraint is the former one, or a list with the values of the former one. */
function acceptsAll(former: string, present: string): boolean {
  const withoutList = (text: string) => text.replace(/ARRAY\[.*\]/, '')
  const isList = former.includes('ANY (ARRAY[') && withoutList(former) === withoutList(present)
  const accepted = valuesIn(present)
  return former === present || (isList && valuesIn(former).every((value) => accepted.includes(value)))
}

function valuesIn(constraint: string): readonly string[] {
  return [...constraint.matchAll(/'[^']*'::text/g)].map(([value]) => value)
}

/** The release before leaves new columns empty: that satisfies a foreign key with one of them, and a check of these only. */
function isOfNewColumns(constraint: string, { columns }: Table): boolean {
  const [, referring] = /^FOREIGN KEY \(([^)]*)\)/.exec(constraint) ?? []
  return referring === undefined
    ? !(constraint.match(/\w+/g) ?? []).some((word) => columns.has(word))
    : referring.split(', ').some((column) => !columns.has(column))
}

function parseSchema(text: string): Schema {
  const tables = [...text.matchAll(/^create table (\w+) \(\n([\s\S]*?)\n\);\n((?:CREATE .*\n)*)/gm)]
  const domains = [...text.matchAll(/^create domain (\w+) as (.*);$/gm)]
  return {
    tables: new Map(tables.map(([, table = '', body = '', indexes = '']) => [table, parseTable(body, indexes)])),
    domains: new Map(domains.map(([, domain = '', definition = '']) => [domain, definition])),
  }
}

function parseTable(body: string, indexes: string): Table {
  const constraints = (kinds: string) =>
    [...body.matchAll(new RegExp(`^ {2}constraint \\w+ ((?:${kinds}) .*?),?$`, 'gm'))].map(([, one = '']) => one)
  return {
    columns: columnsIn(body),
    unique: [
      ...constraints('UNIQUE|PRIMARY KEY'),
      ...[...indexes.matchAll(/^CREATE UNIQUE INDEX \w+ ON \w+ (.*);$/gm)].map(([, key = '']) => key),
    ],
    constraints: constraints('CHECK|FOREIGN KEY'),
  }
}

function columnsIn(body: string): ReadonlyMap<string, Column> {
  const lines = body.split('\n').filter((line) => !line.startsWith('  constraint '))
  return new Map(
    lines.map((line) => {
      const [, name = '', rest = ''] = /^ {2}(\w+) (.*?),?$/.exec(line) ?? []
      const type = rest.replace(/ (not null|default .*|generated .*)$/g, '').replace(/ (not null|default).*$/, '')
      return [name, { type, isNullable: !rest.includes('not null'), hasDefault: /\b(default|generated)\b/.test(rest) }]
    }),
  )
}
