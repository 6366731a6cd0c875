import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Fingerprints } from '../../../../src/gate/fingerprints/fingerprints.ts';
import { withoutImports } from '../../../../src/gate/fingerprints/imports.ts';
import { isPublicAddress } from '../../../../src/gate/fingerprints/publicAddresses.ts';
import { find } from '../../../fuzz/fingerprint/measure.ts';
import { routes } from '../../../fuzz/fingerprint/routes.ts';
import { Dice } from '../../../tools/dice.ts';
import { finished } from '../../../tools/processorTime.ts';

/** Blocks of imports, each as a file of its language begins. */
const blocks: Readonly<Record<string, string>> = {
  TypeScript: `import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Attachment, OutgoingMessage } from '../../send/message/attachment.ts';
import { withInstructionsInTheWay } from './projectInTheWayOfAll.ts';
import React, { type ReactNode, useCallback as callback } from 'react';
import {
  passagesIn,
  // The other one.
  type LeftOutPassage,
} from '@scope/package-of-passages/dist/passages.js';
import './styles/everything.module.css';
import settings from './defaultSettings.json' with { type: 'json' };
import legacy = require('legacy-module-of-typescript');
export * from './publicInterface.ts';
export { one, other as another } from './others.ts';`,
  CommonJS: `const { readFileSync, writeFileSync: write } = require('node:fs');
const path = require("node:path");
var utilities = require('../utilities/everything').default;
require('source-map-support/register');`,
  Python: `from __future__ import annotations
import os, sys
import numpy as np
from collections.abc import Iterable, Mapping as AnyMapping
from sqlalchemy.orm import (
    DeclarativeBase,
    mapped_column,
)
from . import repositories  # noqa: F401
from ..warehouse.inventory import *`,
  Java: `package com.example.warehouse.inventory;

import java.util.concurrent.ConcurrentHashMap;
import static org.junit.jupiter.api.Assertions.assertEquals;
import org.springframework.beans.factory.annotation.*;`,
  Kotlin: `package com.example.warehouse.inventory
import kotlinx.coroutines.flow.MutableStateFlow
import com.example.warehouse.orders.Repository as OrderRepository`,
  Go: `package main

import (
	"context"
	"encoding/json"

	// Of others.
	"github.com/stretchr/testify/assert"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	_ "golang.org/x/image/webp"
)
import "net/http"`,
  'go.mod': `require (
	github.com/stretchr/testify v1.9.0
	golang.org/x/sync v0.7.0-20240101 // indirect
)`,
  'C#': `using System.Collections.Concurrent;
using static System.Math;
global using Microsoft.Extensions.DependencyInjection;
using Orders = Example.Warehouse.Orders.Collections;
namespace Example.Warehouse.Inventory;`,
  Rust: `use std::collections::{BTreeMap, HashMap};
use serde::{
    de::{DeserializeOwned, Visitor},
    Deserialize as De,
};
pub use crate::warehouse::inventory::*;
pub(crate) mod everything;
extern crate proc_macro;`,
  PHP: `namespace App\\Http\\Controllers\\Warehouse;
use Illuminate\\Support\\Facades\\Cache;
use Symfony\\Component\\HttpFoundation\\{Request, Response as Answer};
use function App\\Helpers\\formatted_amount;
require_once __DIR__ . '/../vendor/autoload.php';`,
  'C and C++': `#include <stdio.h>
#include <linux/netfilter_ipv4.h>
#  include "warehouse/inventory_table.hpp"
#import <Foundation/Foundation.h>
using namespace std::chrono_literals;`,
  Ruby: `require 'active_support/core_ext/object'
require_relative "../warehouse/inventory"
include ActiveModel::Validations`,
  Swift: `import Foundation
@testable import WarehouseInventory
import struct SwiftUI.Color`,
  Dart: `import 'package:flutter/material.dart' as material;
export 'src/inventory.dart' show Inventory, Orders;
part 'inventory.g.dart';`,
  'Lua, Perl, R, Scala, Haskell': `local inventory = require("warehouse.inventory")
use List::Util qw(sum max first);
use warnings;
library(tidyverse)
import scala.collection.mutable.{ArrayBuffer, HashMap}
import qualified Data.Map.Strict as Map`,
  'Protocol Buffers, Sass': `import "google/protobuf/timestamp.proto";
@use "sass:math" as m;
@import 'variables/colors';`,
  'lists and several on a line': `const express = require('express'),
      parser = require('body-parser-of-everything'),
      cookies = require('cookie-parser-of-everything');
import React from 'react'; import ReactDOM from 'react-dom/client'; import { Router } from 'react-router-dom';
use Data::Dumper; use File::Basename; use Getopt::Long;
using boost::asio::ip::tcp; using std::string_view;`,
  'lazy imports': `const Settings = React.lazy(() => import('./pages/settings/SettingsPage'));
const Orders = lazy(
  () => import('./pages/orders/OrdersOfTheWarehouse'),
);`,
  'other languages': `import scala.concurrent.{ExecutionContext, Future => ScalaFuture}
import Html.Events exposing (onClick, onInput)
import Json.Decode as Decode exposing (Decoder, field, string)
Imports System.Runtime.InteropServices
use List::Util 1.45 qw/first sum uniq shuffle/;
import Distributions: Normal, Uniform, Exponential
import 'package:inventory/inventory.dart' deferred as inventory;`,
};

/** Imports with a short comment, which is the only text that stays. */
const commented = `#include <arpa/inet.h>   /* sockaddr_in, inet_addr() */
#include <netinet/tcp.h>// for TCP_NODELAY
import matplotlib.pyplot as plt  # plotting (all
from sklearn.model_selection import (  # split
    train_test_split,  # views
    # of others
    cross_val_score,
)
import { BrowserModule } from '@angular/platform-browser'; // browser
import { BrowserAnimationsModule } from '@angular/platform-browser/animations'; /* animations */
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader}; // io
import (
	"net/http" // of Go
	"github.com/gin-gonic/gin" // web
)
import Data.Map.Strict -- maps`;

const words = (seed: number, lines: number): string => {
  const dice = new Dice(seed);
  const word = (): string => dice.text(3 + dice.below(7), 'bcdfghjklmnpqrstvwxz');
  return Array.from({ length: lines }, () => Array.from({ length: 7 }, word).join(' ')).join('\n');
};

const part = (...parts: readonly string[]): string => parts.join('');
const token = part('gh', 'p_', 'a1B2'.repeat(9));

describe('gate: the imports of an excluded file', () => {
  for (const [language, block] of Object.entries(blocks)) {
    it(`are not its own text: ${language}`, () => {
      const own = finished(withoutImports(`${block}\n`));
      assert.doesNotMatch(own.replace(/\/\/ (?:The|Of) other.*/g, ''), /[\p{L}\d]/u);
      const code = words(3, 8);
      const prints = new Fingerprints();
      const file = `${block}\n\n${code}\n`;
      assert.equal(finished(prints.add({ file: 1, text: file, isCredential: false })), 'recognized');
      for (const [name, route] of Object.entries(routes)) {
        assert.deepEqual(find(prints, route(block.split('\n'), new Dice(1))), [], name);
      }
      // The rest of the file is found as before, with or without them.
      for (const sent of [code, file]) {
        const found = find(prints, sent);
        assert.ok(found.length > 0 && found.every(({ start }) => start >= sent.indexOf(code) - 16), sent);
      }
      // A file that has nothing else has nothing to find.
      const alone = block.replace(/\/\/ (?:The|Of) other.*/g, '');
      assert.equal(finished(new Fingerprints().add({ file: 1, text: alone, isCredential: false })), 'recognized');
    });
  }

  it('are not its own text before a short comment, which stays', () => {
    const own = finished(withoutImports(commented));
    assert.deepEqual(
      own.split('\n').map((line) => line.trim()),
      commented.split('\n').map((line) => /(?<!^)(?:\/[/*]|(?:#|--) ).*$|^ +#.*$/.exec(line)?.[0].trim() ?? ''),
    );
    const prints = new Fingerprints();
    finished(prints.add({ file: 1, text: `${commented}\n\n${words(3, 8)}\n`, isCredential: false }));
    for (const [name, route] of Object.entries(routes)) {
      assert.deepEqual(find(prints, route(commented.split('\n'), new Dice(1))), [], name);
    }
    // A long comment, a token in it, and an address in it are found.
    for (const comment of [
      'the key of the cellar is below the stone of the quarry',
      token,
      `https://x:${token}@a.example`,
    ]) {
      const line = `import matplotlib.pyplot as plt  # ${comment}`;
      const other = new Fingerprints();
      finished(other.add({ file: 1, text: `${line}\n${words(3, 8)}\n`, isCredential: false }));
      assert.notDeepEqual(find(other, `It has: ${line}\nNo more.`), [], line);
    }
  });

  it('are its own text if they have a token, an absolute path, or an address of an own host', () => {
    for (const line of [
      `import warehouse from 'https://registry.example.com/${token}/warehouse.js';`,
      `import { warehouse } from '../generated/${token}/warehouse.js';`,
      `import "git.warehouse.internal/inventory/ledger/of/the/northern/quarry"`,
      `import (\n\t"fmt"\n\t"git.warehouse.internal/inventory/ledger/of/the/northern/quarry"\n)`,
      `require 10.0.12.7/inventory/ledger/of/the/northern/quarry/and/more v1.2.3`,
      `import x from 'https://user:hunter22@esm.sh/inventory/ledger/of/the/northern/quarry';`,
      `import x from '//localhost:3000/inventory/ledger/of/the/northern/quarry/x.js';`,
      `#include "/srv/warehouse/inventory/ledger/of/the/northern/quarry.h"`,
      `#include <C:\\warehouse\\inventory\\ledger\\of\\the\\northern\\quarry.h>`,
      `require '/home/quarry/inventory/ledger/of/the/northern/warehouse/keys'`,
      `const keys = require('~/inventory/ledger/of/the/northern/quarry/and/its/keys.json');`,
      `import x from './inventory?ledger=of-the-northern-quarry-and-what-is-kept-in-it';`,
    ]) {
      const prints = new Fingerprints();
      finished(prints.add({ file: 1, text: `${blocks.TypeScript}\n${line}\n`, isCredential: false }));
      assert.notDeepEqual(find(prints, `It has this: ${line}\nand more`), [], line);
    }
    const prints = new Fingerprints();
    finished(prints.add({ file: 1, text: `import a from '../made/${token}/a.js';\n`, isCredential: false }));
    assert.equal(find(prints, `The token is ${token}.`)[0]?.kind, 'value');
  });

  it('are its own text in a file with credentials', () => {
    const prints = new Fingerprints();
    finished(prints.add({ file: 1, text: blocks.Java ?? '', isCredential: true }));
    assert.notDeepEqual(find(prints, blocks.Java ?? ''), []);
  });

  it('have only names: no sentence, no call and no value is taken for one', () => {
    for (const text of [
      'import the ledgers of the northern quarry, and keep them',
      'import the ledgers from "the northern quarry"',
      'from the northern quarry, import all of the ledgers',
      'use the key of the cellar;',
      'use password:hunter22;',
      'using var ledger = new Ledger("the northern quarry");',
      'package of the northern quarry',
      "const ledger = require('ledger')('the northern quarry');",
      'require($quarry);',
      'export const quarry = { place: "north", key: "cellar" };',
      'import { ledger } from "ledger"; const key = "of the cellar";',
      'mod tests {\n  fn quarry() {}\n}',
      'namespace Quarry {\n  class Ledger {}\n}',
      'import {\n  ledger,\n  the key of the cellar,\n} from "quarry";',
      'use std::env;  // The key of the cellar is below the stone.',
      'import (\n  "fmt"\n  key := "below the stone"\n)',
      'import os; os.key("below the stone")',
      "import 'ledger'; unlock('hunter22'); import 'quarry';",
      "const ledger = require('ledger'),\n  key = 'below the stone';",
      "const ledger = require('ledger'),\n  key = require('quarry')('below the stone');",
      "const ledger = 'below the stone',",
      "const Ledger = lazy(() => import('./ledger'), 'below the stone');",
      "const Ledger = lazy(() => open('below the stone'));",
      'import Ledger exposing (the key of the cellar)',
      'Imports of the northern quarry',
      'import the key: of the cellar',
      'use Ledger qw/the key, below: the "stone"/;',
      'import struct the key of the cellar',
      "import ledger from './a // b",
      'import a => the key of the cellar',
    ]) {
      assert.equal(finished(withoutImports(text)), text);
    }
  });

  it('are removed in place: all other lines are as they were', () => {
    const line = fc.constantFrom(
      ...Object.values(blocks).flatMap((block) => block.split('\n')),
      ...['', '}', ')', '{', 'const a = 1;', 'export function a() {', '  return { a };', '// import x from "y"'],
    );
    const end = fc.constantFrom('\n', '\r\n', '\r');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), end, (lines, end) => {
        const text = lines.join(end);
        const left = finished(withoutImports(text));
        const ends = /\r\n|\r|\n/g;
        assert.deepEqual(left.match(ends), text.match(ends));
        const before = text.split(ends);
        for (const [at, own] of left.split(ends).entries()) assert.ok(own === '' || own === before[at]);
      }),
      { numRuns: 500 },
    );
  });

  it('are of a public host only by its whole name', () => {
    for (const address of [
      'react',
      '@scope/a',
      './a',
      '../../a/b.ts',
      'node:fs',
      'github.com/a/b',
      'https://esm.sh/a@1.2',
    ])
      assert.ok(isPublicAddress(address), address);
    for (const address of [
      '',
      '/a',
      'C:/a',
      'github.com.evil.example/a',
      'my-github.com/a',
      'https://a.example/b',
      'file:///a',
      'a b',
      'https://esm.sh:8443/a',
    ])
      assert.ok(!isPublicAddress(address), address);
  });
});
