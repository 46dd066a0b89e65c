/** The step of the TypeScript client: its package is installed, type-checked, and pays an invoice on every runtime. */
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { operations } from '../../../contract/operations.ts'
import { typeScriptProgram } from '../../../docs-site/testing/example-programs.ts'
import { buildPackage, packPackage } from '../../../sdk/build/build-package.ts'
import { ROOT } from '../../source-files.ts'
import { type ClientEnvironment, type ClientStep, gatewayVariables } from '../client-step.ts'
import { INSTALL } from '../generators/generators.ts'

/** The oldest version that the client supports, the last one in JavaScript, and the native one. */
const COMPILERS = ['5.4.5', '5.9.3', '7.0.2']
/** The compiler that builds the program for runtimes without TypeScript. */
const BUILDING_COMPILER = '5.9.3'
/** The one global of Node that the program uses: the types of Node do not suit all versions of the compiler. */
const GLOBALS = 'declare const process: { env: { [name: string]: string | undefined } }\n'
const GLOBALS_FILE = 'globals.d.ts'
/** Strict, and with the checks of libraries switched on: the declarations must be right by themselves. */
const STRICT = [
  '--strict',
  '--exactOptionalPropertyTypes',
  '--noUncheckedIndexedAccess',
  '--noPropertyAccessFromIndexSignature',
]
const TARGET = ['--target', 'es2022']
const MODULES = {
  node16: ['--module', 'node16', '--moduleResolution', 'node16'],
  bundler: ['--module', 'esnext', '--moduleResolution', 'bundler'],
} as const
const COMPLETED = /^Payment (\S+) is Completed$/m
const PROGRAM = 'pay-invoice'
/** The examples of the reference, as one program. */
const REFERENCE = 'reference-examples.ts'

/** Shows that the package works in an empty project, outside of this one. */
export const typescriptSdk: ClientStep = {
  name: 'sdk-typescript',
  title: 'installs @havn/client into an empty project, and runs the program of its README on Node, Deno and Bun',
  async run(environment) {
    const { folder, run, report } = environment
    const project = await createProject(folder)
    report('building and installing the package …')
    await run('npm', [...INSTALL, await packedPackage(folder), ...developmentPackages()], { folder: project })
    const compiled = await typeCheck(environment, project)
    const paid = await payOnEveryRuntime(environment, project)
    return { language: 'TypeScript', compiled, paid }
  },
}

/** A project with nothing but the program of the README. */
async function createProject(folder: string): Promise<string> {
  const project = join(folder, 'project')
  await mkdir(project)
  await writeFile(join(project, 'package.json'), JSON.stringify({ name: PROGRAM, private: true, type: 'module' }))
  await writeFile(join(project, GLOBALS_FILE), GLOBALS)
  await writeFile(join(project, REFERENCE), typeScriptProgram(Object.values(operations)))
  await copyFile(join(ROOT, 'sdk', 'example.ts'), join(project, `${PROGRAM}.ts`))
  return project
}

async function packedPackage(folder: string): Promise<string> {
  const built = join(folder, 'built')
  await buildPackage(built)
  return await packPackage(built, folder)
}

function developmentPackages(): readonly string[] {
  return COMPILERS.map((version) => `${compilerOf(version)}@npm:typescript@${version}`)
}

const compilerOf = (version: string) => `typescript-${version}`
const tscOf = (version: string) => join('node_modules', compilerOf(version), 'bin', 'tsc')

async function typeCheck({ run, report }: ClientEnvironment, project: string): Promise<string> {
  const compile = (version: string, options: readonly string[], files: readonly string[] = []) =>
    run(process.execPath, [tscOf(version), ...STRICT, ...TARGET, ...options, `${PROGRAM}.ts`, ...files, GLOBALS_FILE], {
      folder: project,
    })
  for (const version of COMPILERS) {
    for (const [resolution, options] of Object.entries(MODULES)) {
      report(`type-checking with TypeScript ${version} and moduleResolution ${resolution} …`)
      await compile(version, [...options, '--noEmit'], [REFERENCE])
    }
  }
  await compile(BUILDING_COMPILER, [...MODULES.node16, '--outDir', 'dist'])
  return `TypeScript ${COMPILERS.join(', ')}`
}

/** A runtime without a package for this machine is named in the table. */
async function payOnEveryRuntime(environment: ClientEnvironment, project: string): Promise<string> {
  const runtimes = runtimesOf(`${process.platform}-${process.arch}`)
  const results: string[] = []
  for (const runtime of runtimes) {
    results.push(await payOn(environment, project, runtime))
  }
  return results.join(', ')
}

async function payOn(environment: ClientEnvironment, project: string, runtime: Runtime): Promise<string> {
  const { name, installed, options, language } = runtime
  const { folder, run, report } = environment
  if (installed === undefined) {
    report(`${name} has no package for ${process.platform}-${process.arch}`)
    return `${name}: no package for this machine`
  }
  report(`paying an invoice on ${name} (${installed.package} ${installed.version}) …`)
  const place = join(folder, basename(installed.package) + installed.version)
  await mkdir(place)
  await writeFile(join(place, 'package.json'), JSON.stringify({ name: 'runtime', private: true }))
  await run('npm', [...INSTALL, `${installed.package}@${installed.version}`], { folder: place })
  const program = language === 'ts' ? `${PROGRAM}.ts` : join('dist', `${PROGRAM}.js`)
  const printed = await run(join(place, 'node_modules', installed.package, installed.program), [...options, program], {
    folder: project,
    variables: await gatewayVariables(environment),
  })
  if (!COMPLETED.test(printed)) {
    throw new Error(`The program did not complete a payment on ${name}; it printed:\n${printed}`)
  }
  return name
}

/** A runtime, from a package that is installed for this machine. */
type Runtime = {
  readonly name: string
  /** The package with its version; undefined where there is none for this machine. */
  readonly installed: { readonly package: string; readonly version: string; readonly program: string } | undefined
  /** The options before the program, and whether it runs TypeScript or compiled JavaScript. */
  readonly options: readonly string[]
  readonly language: 'ts' | 'js'
}

const NODE_VERSIONS = ['20.20.2', '22.23.3', '26.10.0']
const DENO_VERSION = '2.9.6'
const BUN_VERSION = '1.4.4'

/** What each package calls this machine; absent where it has no package that brings the program without a script. */
const PLATFORMS: {
  readonly [platform in string]?: { readonly node: string; readonly deno: string; readonly bun: string }
} = {
  'linux-x64': { node: 'linux-x64', deno: 'linux-x64-glibc', bun: 'linux-x64' },
  'linux-arm64': { node: 'linux-arm64', deno: 'linux-arm64-glibc', bun: 'linux-aarch64' },
}

/** The runtimes for a machine, such as `linux-x64`. */
function runtimesOf(machine: string): readonly Runtime[] {
  const platform = PLATFORMS[machine]
  const packageOf = (name: string, version: string, program: string) =>
    platform === undefined ? undefined : { package: name, version, program }
  return [
    ...NODE_VERSIONS.map((version) => ({
      name: `Node ${version.split('.')[0]}`,
      installed: packageOf(`node-${platform?.node}`, version, 'bin/node'),
      options: [],
      language: 'js' as const,
    })),
    {
      name: 'Deno',
      installed: packageOf(`@deno/${platform?.deno}`, DENO_VERSION, 'deno'),
      options: ['run', '--allow-net', '--allow-env', '--no-prompt'],
      language: 'ts',
    },
    {
      name: 'Bun',
      installed: packageOf(`@oven/bun-${platform?.bun}`, BUN_VERSION, 'bin/bun'),
      options: ['run'],
      language: 'ts',
    },
  ]
}
