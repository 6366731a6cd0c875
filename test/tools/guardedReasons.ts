import type { guardedFiles } from '../../src/features/edits/vscode/placing/guardedFiles.ts';

interface Reason {
  readonly kind: string;
  /** The programs that read the files, and when. */
  readonly why: string;
  /** The page that documents this. */
  readonly source: string;
}

/** The reason for each row of guarded files. */
export const guardedReasons: Readonly<Record<keyof typeof guardedFiles, Reason>> = {
  vscode: {
    kind: 'Editors',
    why: 'VS Code: tasks, launch configurations, and settings that name programs',
    source: 'code.visualstudio.com/docs/editor/workspace-trust',
  },
  otherEditors: {
    kind: 'Editors',
    why: 'other editors: run configurations, and settings and scripts of a folder',
    source: 'neovim.io/doc/user/options.html#exrc',
  },
  devContainers: {
    kind: 'Editors',
    why: 'development containers: commands when one is built or opened',
    source: 'containers.dev/implementors/json_reference/#lifecycle-scripts',
  },
  svc: { kind: 'Assistants', why: 'Svc Coder: prompts, and which files are sent', source: 'privacy.md#excluded-files' },
  agents: {
    kind: 'Assistants',
    why: 'instructions for many assistants, and the settings of Codex',
    source: 'agents.md',
  },
  claude: {
    kind: 'Assistants',
    why: 'Claude Code: instructions, hooks, and MCP servers, which are programs',
    source: 'code.claude.com/docs/en/hooks',
  },
  gemini: {
    kind: 'Assistants',
    why: 'Gemini: instructions, MCP servers, and which files are sent',
    source: 'geminicli.com/docs/cli/gemini-md',
  },
  cursor: { kind: 'Assistants', why: 'Cursor: rules, hooks, and MCP servers', source: 'cursor.com/docs/context/rules' },
  windsurf: {
    kind: 'Assistants',
    why: 'Windsurf: rules and workflows',
    source: 'docs.windsurf.com/windsurf/cascade/memories',
  },
  copilot: {
    kind: 'Assistants',
    why: 'GitHub Copilot: instructions, prompts, and agents',
    source: 'code.visualstudio.com/docs/copilot/customization/custom-instructions',
  },
  cline: {
    kind: 'Assistants',
    why: 'Cline, Roo Code, and Kilo Code: rules and MCP servers',
    source: 'docs.cline.bot/features/cline-rules',
  },
  otherAssistants: {
    kind: 'Assistants',
    why: 'further assistants: rules, hooks, and MCP servers',
    source: 'aider.chat/docs/config/aider_conf.html',
  },
  github: {
    kind: 'Pipelines',
    why: 'GitHub, Gitea, and Forgejo: workflows, and who must review',
    source: 'docs.github.com/actions/reference/workflows-and-actions/workflow-syntax',
  },
  gitlab: { kind: 'Pipelines', why: 'GitLab: pipelines', source: 'docs.gitlab.com/ci/yaml' },
  otherPipelines: {
    kind: 'Pipelines',
    why: 'other services that build or deploy: their pipelines',
    source: 'www.jenkins.io/doc/book/pipeline/jenkinsfile',
  },
  bots: {
    kind: 'Pipelines',
    why: 'bots that change dependencies, and who must review',
    source: 'docs.renovatebot.com/configuration-options',
  },
  shells: {
    kind: 'Shells and systems',
    why: 'shells: run when one starts or ends',
    source: 'www.gnu.org/software/bash/manual/bash.html#Bash-Startup-Files',
  },
  systems: {
    kind: 'Shells and systems',
    why: 'systems: run at a log-in or at a time',
    source: 'specifications.freedesktop.org/autostart-spec/latest',
  },
  environments: {
    kind: 'Shells and systems',
    why: 'tools that set up a shell when a folder is entered, or choose which program runs',
    source: 'mise.jdx.dev/configuration.html',
  },
  versionControl: {
    kind: 'Version control',
    why: 'version control: hooks, filters, and where modules come from',
    source: 'git-scm.com/docs/gitattributes',
  },
  hooks: { kind: 'Version control', why: 'hooks: run at a commit, a checkout, or a push', source: 'pre-commit.com' },
  javascript: {
    kind: 'Builds and packages',
    why: 'packages of JavaScript: scripts that run when they are installed, and registries',
    source: 'docs.npmjs.com/cli/using-npm/scripts',
  },
  javascriptTools: {
    kind: 'Builds and packages',
    why: 'tools of JavaScript: programs, and settings that name plug-ins, which editors load when a file is opened',
    source: 'eslint.org/docs/latest/use/configure/configuration-files',
  },
  python: {
    kind: 'Builds and packages',
    why: 'Python: run at an installation, at the start of tests, or at each start of Python',
    source: 'docs.python.org/3/library/site.html',
  },
  languageTools: {
    kind: 'Builds and packages',
    why: 'checks and language servers: plug-ins and programs, which editors start when a file is opened',
    source: 'pylint.readthedocs.io/en/stable/user_guide/configuration/all-options.html',
  },
  builds: {
    kind: 'Builds and packages',
    why: 'builds: commands, which editors also run to find out about a project',
    source: 'www.gnu.org/software/make/manual/make.html',
  },
  bazel: {
    kind: 'Builds and packages',
    why: 'Bazel, Buck, and Pants: rules and commands',
    source: 'bazel.build/run/bazelrc',
  },
  jvm: {
    kind: 'Builds and packages',
    why: 'Gradle, Maven, Ant, and sbt: programs, which editors run when a project is opened',
    source: 'docs.gradle.org/current/userguide/build_lifecycle.html',
  },
  otherLanguages: {
    kind: 'Builds and packages',
    why: 'other languages: build scripts, packages, and files that run when a tool starts',
    source: 'doc.rust-lang.org/cargo/reference/build-scripts.html',
  },
  containers: {
    kind: 'Builds and packages',
    why: 'containers and machines: commands when they are built or started',
    source: 'docs.docker.com/reference/dockerfile',
  },
};
