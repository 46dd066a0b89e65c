/** Lists the JavaScript runtimes that the TypeScript client is tried on, with the npm packages that bring them. */

/** A runtime, from a package that is installed for this machine. */
export type Runtime = {
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
export function runtimesOf(machine: string): readonly Runtime[] {
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
