// The machine of a story, for all extensions of a window: /etc/svc is the folder machine/ beside this file, as if only an
// administrator could write it, and a program of it can be started. The clock is wrong by the milliseconds in machine/clock, which
// the status bar shows. It starts with the window, before other extensions.
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const { join } = require('node:path');
const { StatusBarAlignment, window } = require('vscode');

const place = '/etc/svc';
const folder = join(__dirname, 'machine');
const isOfAdministrator = (path) => path === place || String(path).startsWith(`${place}/`);
const moved = (path) => (isOfAdministrator(path) ? folder + path.slice(place.length) : path);

function movePaths(owner, names) {
  for (const name of names) {
    const real = owner[name];
    owner[name] = Object.assign((path, ...rest) => real.call(owner, moved(path), ...rest), real);
  }
}

function guardPaths() {
  const { access, lstat } = fs.promises;
  fs.promises.lstat = async (path, ...rest) => {
    const facts = await lstat(moved(path), ...rest);
    return isOfAdministrator(path) ? Object.assign(facts, { uid: 0, mode: facts.mode & ~0o022 }) : facts;
  };
  fs.promises.access = async (path, mode) => {
    const isWriting = isOfAdministrator(path) && mode === fs.constants.W_OK;
    if (isWriting) throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
    return access(moved(path), mode);
  };
}

let wrongByMs = 0;

function moveClock() {
  const Real = Date;
  globalThis.Date = class extends Real {
    constructor(...parts) {
      super(...(parts.length === 0 ? [Real.now() + wrongByMs] : parts));
    }

    static now() {
      return Real.now() + wrongByMs;
    }
  };
}

function activate() {
  const item = window.createStatusBarItem(StatusBarAlignment.Left);
  const read = () => {
    wrongByMs = Number(fs.readFileSync(join(folder, 'clock'), 'utf8'));
    item.text = `clock ${wrongByMs}`;
  };
  fs.watch(folder, read);
  read();
  item.show();
}

movePaths(fs, ['statSync', 'realpathSync', 'watch', 'watchFile', 'unwatchFile']);
movePaths(fs.promises, ['open', 'readlink']);
movePaths(require('node:child_process'), ['spawn']);
guardPaths();
moveClock();
syncBuiltinESMExports();
module.exports = { activate };
