/** The step that measures how long a new user needs in each language, from `npm start` to the first paid invoice. */
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openDocumentationShell, shellBlocks } from '../../gateway/testing/gateway/documentation-shell.ts'
import { buildPackage, packPackage } from '../../sdk/build/build-package.ts'
import { ROOT } from '../source-files.ts'
import { type ClientEnvironment, type ClientStep, gatewayVariables } from './client-step.ts'
import { createVenv, ensurePython } from './ensure-programs.ts'
import { type ClientGenerator, createProject } from './generators/generator-step.ts'
import { openApiGeneratorCSharp, openApiGeneratorJava, openApiGeneratorPhp } from './generators/generators.ts'
import { startClientGateway } from './run-client-steps.ts'

const COMPLETED = /\bCompleted\b/

/** Every language has a folder of its own; the start in an empty folder is measured once and added to each. */
export const firstPayment: ClientStep = {
  name: 'first-payment',
  title: 'the time from npm start in an empty folder to the first paid invoice, in each language',
  run: async (environment) => {
    const start = await secondsOf(async () => {
      const gateway = await startClientGateway()
      return gateway.close
    })
    await start.result()
    environment.report(`npm start: ready after ${start.seconds} s`)
    const results: string[] = []
    for (const path of NEW_USER_PATHS) {
      const seconds = start.seconds + (await measure(path, environment))
      environment.report(`${path.language}: paid ${seconds} s after npm start`)
      results.push(`${path.language} ${seconds} s`)
    }
    return { paid: results.join(', ') }
  },
}

/** The seconds from the empty folder to the paid invoice. */
async function measure({ language, prepare, pay }: NewUserPath, environment: ClientEnvironment): Promise<number> {
  const folder = join(environment.folder, language)
  await mkdir(folder)
  const own: ClientEnvironment = {
    ...environment,
    folder,
    run: (program, options, changes) => environment.run(program, options, { folder, ...changes }),
  }
  await environment.gateway()
  await prepare(own)
  const { result, seconds } = await secondsOf(() => pay(own))
  if (!COMPLETED.test(result)) {
    throw new Error(`The first invoice was not paid in ${language}; printed was:\n${result}`)
  }
  return seconds
}

/** At least one second. */
async function secondsOf<Result>(work: () => Promise<Result>): Promise<{ result: Result; seconds: number }> {
  const begun = performance.now()
  const result = await work()
  return { result, seconds: Math.ceil((performance.now() - begun) / 1000) }
}

/** What a new user does in one language. */
type NewUserPath = {
  readonly language: string
  /** What exists before: packages that a registry would have. It is not measured. */
  prepare(environment: ClientEnvironment): Promise<void>
  /** Installs and pays; returns what was printed. */
  pay(environment: ClientEnvironment): Promise<string>
}

const GUIDES = join(ROOT, 'docs', 'guides')
const INSTALL = ['install', '--no-audit', '--no-fund', '--loglevel=error']
const DEMO_URL = 'http://127.0.0.1:8080'
const PRODUCTION = /<!-- production -->.*?<!-- end -->/gs
/** What the user does in the browser, in the commands of the guide. */
const SIGN_CONSENT = 'post /api/sandbox/consents/$CONSENT/sign "{}" > user.json'
const SIGN_APPROVAL = 'post /api/sandbox/approvals/$APPROVAL/sign "{}" > user.json'

const NEW_USER_PATHS: readonly NewUserPath[] = [
  { language: 'curl', prepare: async () => undefined, pay: payByGuide },
  { language: 'TypeScript', prepare: packTypeScript, pay: payInTypeScript },
  { language: 'Python', prepare: ({ folder }) => ensurePython(folder), pay: payInPython },
  generatorPath(openApiGeneratorJava),
  generatorPath(openApiGeneratorCSharp),
  generatorPath(openApiGeneratorPhp),
]

/** The commands of the guide as pasted; where it says that a URL is to be opened, the sandbox decides for the user. */
async function payByGuide({ gateway }: ClientEnvironment): Promise<string> {
  const { url } = await gateway()
  const preparation = await readFile(join(GUIDES, 'authentication.md'), 'utf8')
  const [, prepare = ''] = /^## Prepare your shell\n(.+?)(?=^## )/ms.exec(`${preparation}\n## `) ?? []
  const guide = await readFile(join(GUIDES, 'first-payment.md'), 'utf8')
  const shell = await openDocumentationShell()
  try {
    const decisions = [SIGN_CONSENT, SIGN_APPROVAL]
    let printed = ''
    for (const block of shellBlocks(`${prepare.replaceAll(PRODUCTION, '')}\n${guide}`)) {
      printed = await shell.run(block.replaceAll(DEMO_URL, url))
      await shell.run(printed.startsWith('Open: ') ? (decisions.shift() ?? '') : '')
    }
    return printed
  } finally {
    await shell.close()
  }
}

async function packTypeScript({ folder }: ClientEnvironment): Promise<void> {
  await buildPackage(join(folder, 'built'))
  await packPackage(join(folder, 'built'), folder)
}

/** The program of the client's README, on the runtime of this project, which runs TypeScript. */
async function payInTypeScript(environment: ClientEnvironment): Promise<string> {
  const { folder, run } = environment
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  await run('sh', ['-c', `npm ${INSTALL.join(' ')} ./*.tgz`])
  await copyFile(join(ROOT, 'sdk', 'example.ts'), join(folder, 'pay-invoice.ts'))
  return await run(process.execPath, ['pay-invoice.ts'], { variables: await gatewayVariables(environment) })
}

/** The first program of the client's README. */
async function payInPython(environment: ClientEnvironment): Promise<string> {
  const { folder, run } = environment
  const readme = await readFile(join(ROOT, 'sdk-python', 'README.md'), 'utf8')
  const [, program = ''] = /^```python\n(.+?)^```/ms.exec(readme) ?? []
  await writeFile(join(folder, 'pay_invoice.py'), program)
  const programs = await createVenv(folder, '.venv', [join(ROOT, 'sdk-python')])
  return await run(join(programs, 'python'), ['pay_invoice.py'], { variables: await gatewayVariables(environment) })
}

/** The project in `clients/` of a language without a client of ours. */
function generatorPath(generator: ClientGenerator): NewUserPath {
  return {
    language: generator.language,
    prepare: async () => undefined,
    pay: async (environment) => {
      const project = await createProject(generator, environment)
      await generator.generate(project)
      await generator.compile(project)
      return (await generator.pay?.(project)) ?? ''
    },
  }
}
