/** Finds files with SQL on tables of another module, by what the SQL says. */
import type { SourceFile } from '../source-files.ts'
import { shippedSources } from './count-sources.ts'

/** A file, and the table of another module that it reads or writes. */
export type ForeignSql = { readonly path: string; readonly table: string; readonly owner: string }

const CREATED = /\bcreate (?:unlogged )?table (?:if not exists )?([a-z_]+) ?\(/gi
const NAMED_IN_SQL = /\b(?:from|join|into|update|truncate|using|only)\s+(?:lateral\s+|only\s+)?([a-z_]+)\b/g
const NAMED_IN_BUILDER =
  /\b(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto|(?:inner|left|right|full)Join|from|using)\(\s*\[?\s*'([a-z_]+)|\btable: '([a-z_]+)'/g
const INSERTED = /\b(?:insert into|copy)\s+([a-z_]+)\b|\binsertInto\('([a-z_]+)/g
/** Prose has "from" and "into", too: only template literals, and quoted texts that begin with a verb, hold SQL. */
const LITERAL = /`(?:[^`\\]|\\.)*`|'(?:select|insert into|update|delete from|truncate|with) [^'\n]*'/g
const STATEMENT = /\b(?:select|insert into|update|delete from|truncate|with)\b/i

/** Benchmarks and drills look at a database from outside; the sandbox has tables of its own, in a schema of its own. */
const SIMULATION = 'gateway/simulation'
/** The composition root lists the columns of all modules that are sealed. */
const OUTSIDE = /^(bench|drill|sandbox|launcher\/roles)\//

export function tablesIn(migrations: readonly string[]): ReadonlySet<string> {
  return new Set(migrations.flatMap((text) => [...text.matchAll(CREATED)].map(([, table = '']) => table)))
}

/** Every use of a table outside its module. The owner of a table is the module with most of the files that insert into it. */
export function findForeignSql(all: readonly SourceFile[], tables: ReadonlySet<string>): readonly ForeignSql[] {
  const uses = shippedSources(all)
    .filter(({ path }) => !OUTSIDE.test(path))
    .map(({ path, text }) => ({
      path,
      module: moduleOf(path),
      used: namesIn(text, tables),
      inserted: insertedIn(text, tables),
    }))
  return [...tables].flatMap((table) => {
    const owner = mostFrequent(
      uses.filter(({ inserted, module }) => inserted.has(table) && module !== SIMULATION).map(({ module }) => module),
    )
    return uses
      .filter(({ used, module }) => owner !== undefined && used.has(table) && module !== owner)
      .map(({ path }) => ({ path, table, owner: owner ?? '' }))
  })
}

function namesIn(text: string, tables: ReadonlySet<string>): ReadonlySet<string> {
  const inLiterals = (text.match(LITERAL) ?? [])
    .filter((literal) => STATEMENT.test(literal))
    .flatMap((literal) => [...literal.matchAll(NAMED_IN_SQL)].map(([, name = '']) => name))
  const inBuilder = [...text.matchAll(NAMED_IN_BUILDER)].map(([, called, written]) => called ?? written ?? '')
  return new Set([...inLiterals, ...inBuilder].filter((name) => tables.has(name)))
}

function insertedIn(text: string, tables: ReadonlySet<string>): ReadonlySet<string> {
  const names = [...text.matchAll(INSERTED)].map(([, inSql, inBuilder]) => inSql ?? inBuilder ?? '')
  return new Set(names.filter((name) => tables.has(name)))
}

function moduleOf(path: string): string {
  const [first = '', second = ''] = path.split('/')
  return first === 'gateway' ? `${first}/${second}` : first
}

function mostFrequent(names: readonly string[]): string | undefined {
  const counts = Map.groupBy(names, (name) => name)
  return [...counts].sort(([, left], [, right]) => right.length - left.length)[0]?.[0]
}
