/** Names the environments and the OAuth 2.0 scope of each. */

export const scopesByEnvironment = {
  sandbox: 'api://ac0d1aea-5e3a-463f-9dd1-194898ee5820/.default',
  production: 'api://1f115cad-5576-4db9-a7f9-8921c47a86e4/.default',
} as const

export type Environment = keyof typeof scopesByEnvironment
