<?php

/** Loads the generated classes and Guzzle, which is Debian's php-guzzlehttp-guzzle; with Composer, its own file. */

declare(strict_types=1);

require 'GuzzleHttp/autoload.php';

spl_autoload_register(static function (string $class): void {
    $file = __DIR__ . '/havn/lib/' . str_replace('\\', '/', substr($class, strlen('Havn\\'))) . '.php';
    // The generated code asks for classes that may not exist.
    if (str_starts_with($class, 'Havn\\') && is_file($file)) {
        require $file;
    }
});
