/** Tests that programs load no package that they do not need. */
import { expect, test } from 'vitest'
import { readSourceFiles } from '../setup/source-files.ts'

test.each([
  // The help and the messages for wrong arguments come before any command is loaded.
  { file: 'cli/run-command.ts', packages: ['commander'] },
  // Commands for developers are run one after the other, often by scripts: a package of schemas takes longer than they do.
  { file: 'cli/developer/context.ts', packages: [] },
  { file: 'cli/developer/consents/consents.ts', packages: ['commander'] },
  { file: 'cli/developer/payrolls/pay-salaries.ts', packages: ['commander', 'csv-parse'] },
  { file: 'cli/operator/tasks.ts', packages: ['commander', 'kysely'] },
  { file: 'cli/operator/bank-commands.ts', packages: ['commander', 'kysely'] },
  // The supervisor runs as long as Havn; schemas alone would be eight megabytes of it.
  { file: 'launcher/start-all-programs.ts', packages: ['pg'] },
])('$file loads $packages and no other package', async ({ file, packages }) => {
  expect(await packagesLoadedBy(file)).toEqual(packages)
})

test('a gateway and a worker load the exporter of traces only when they open it', async () => {
  const ofExporter = (packages: readonly string[]) => packages.filter((name) => name.startsWith('@opentelemetry/'))
  expect(ofExporter(await packagesLoadedBy('launcher/roles/main.ts'))).toEqual([])
  const trace = (await readSourceFiles()).find(({ path }) => path === 'gateway/platform/observability/trace.ts')
  const opened = trace?.imports.flatMap(({ name, isDynamic }) => (isDynamic ? name : [])) ?? []
  expect(ofExporter(opened)).toContain('@opentelemetry/exporter-trace-otlp-http')
})

/** Of a file and of all files that it imports, unless by `import()`. */
async function packagesLoadedBy(file: string): Promise<readonly string[]> {
  const importsByPath = new Map((await readSourceFiles()).map(({ path, imports }) => [path, imports]))
  const seen = new Set([file])
  const packages = new Set<string>()
  for (const path of seen) {
    for (const { kind, name, isOfTypes, isDynamic } of importsByPath.get(path) ?? []) {
      if (!isOfTypes && !isDynamic && !name.startsWith('node:')) {
        ;(kind === 'file' ? seen : packages).add(name)
      }
    }
  }
  return [...packages].sort()
}
