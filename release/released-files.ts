/** Lists the files of the project that are part of the server: sources and data, nothing of tests, benches and tools. */
import { runProgram } from '../setup/clients/run-program.ts'
import { ROOT } from '../setup/source-files.ts'

const FOLDERS = [
  'cli',
  'conformance',
  'console',
  'contract',
  'data',
  'deploy',
  'docs',
  'docs-site',
  'gateway',
  'launcher',
  'sandbox',
  'sdk',
]
const PAPERS = ['LICENSE', 'README.md', 'CHANGELOG.md', 'package.json', 'package-lock.json']
/** Tests and what only they use; the SDK's example and build; programs that write files of the repository. */
const LEFT_OUT = [
  /\.test\.(ts|mjs)$/,
  /\/(testing|journeys|__snapshots__)\//,
  // Suites for connectors; the kit for servers is released.
  /^gateway\/.*\/conformance\//,
  /^docs\/(decisions|pictures)\//,
  /^deploy\/(trial\/|try-)/,
  /^data\/(recorded-answers\/|pain-samples\/|test-vectors|documented-interface)/,
  /^contract\/(typescript\/|write-openapi)/,
  /^sdk\/(build\/|example\.ts$|README\.md$)/,
  /(^|\/)write-[\w-]+-guide\.ts$/,
]

/** Paths from the project's root, sorted; only files that git tracks. */
export async function releasedFiles(): Promise<readonly string[]> {
  const tracked = (await runProgram('git', ['ls-files', '-z'], { folder: ROOT })).split('\0')
  return tracked.filter(isReleased).sort()
}

function isReleased(path: string): boolean {
  const [folder = ''] = path.split('/')
  return PAPERS.includes(path) || (FOLDERS.includes(folder) && !LEFT_OUT.some((pattern) => pattern.test(path)))
}
