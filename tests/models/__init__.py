"""The embedding model: conversion, preparation, batching, the worker."""
